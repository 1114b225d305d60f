declare module 'snowball-stemmers' {
  namespace snowball {
    interface Stemmer {
      stem(word: string): string;
    }
  }
  const snowball: { newStemmer(algorithm: string): snowball.Stemmer; algorithms(): string[] };
  export = snowball;
}
