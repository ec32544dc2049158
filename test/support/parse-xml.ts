/** An element of a document of XML. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const TOKEN =
  /<(\/?)([A-Za-z][\w-]*)((?: [A-Za-z][\w:-]*="[^"<&]*(?:&(?:amp|lt|gt|quot|apos);[^"<&]*)*")*)(\/?)>|([^<]+)/gy;
const TEXT = /^(?:[^<&\u0000-\u0008\u000b\u000c\u000e-\u001f]|&(?:amp|lt|gt|quot|apos);)*$/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescape(text: string): string {
  if (!TEXT.test(text)) throw new Error(`not well-formed: ${text.slice(0, 60)}`);
  return text.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name]!);
}

interface OpenElement {
  name: string;
  attributes: Record<string, string>;
  children: OpenElement[];
  text: string;
}

/** Reads the XML that we write: elements, attributes, text and the five entities. @throws where it is not well-formed */
export function parseXml(document: string): XmlElement {
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < document.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(document);
    if (match === null) throw new Error(`not well-formed: ${document.slice(at, at + 60)}`);
    const [, isEnd, name, attributes, isEmpty, text] = match;
    const parent = open.at(-1)!;
    if (text !== undefined) parent.text += unescape(text);
    else if (isEnd) {
      if (open.length === 1 || open.pop()!.name !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const element: OpenElement = { name: name!, attributes: attributesOf(attributes!), children: [], text: '' };
      parent.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  if (open.length !== 1 || root.children.length !== 1)
    throw new Error('there must be one element, and it must be closed');
  return root.children[0]!;
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/ ([\w:-]+)="([^"]*)"/g)) {
    if (name! in attributes) throw new Error(`two attributes ${name}`);
    attributes[name!] = unescape(value!);
  }
  return attributes;
}

/** An element and all below it. */
export function elementsBelow(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(elementsBelow)];
}
