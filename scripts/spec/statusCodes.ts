type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** The status codes that begin with a digit. */
export type StatusIn<First extends 1 | 2 | 3 | 4 | 5> = NumberOf<`${First}${Digit}${Digit}`>;
