export async function run(): Promise<never> {
  throw new Error('not yet');
}
