const BLOCK = /<!-- generated: ([^>]+?) -->\n[\s\S]*?<!-- end -->/g;

/** A document with what stands between its marks written anew; all other text is left as it is. */
export function fillBlocks(text: string, contentOf: (block: string) => string): string {
  return text.replace(
    BLOCK,
    (_, block: string) => `<!-- generated: ${block} -->\n\n${contentOf(block)}\n\n<!-- end -->`,
  );
}
