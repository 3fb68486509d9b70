package rank

import (
	"slices"
	"strings"

	"chant/engine/code/chunk"
	"chant/engine/code/embed"
)

// leastWords is how many words a sentence must have that is learned from.
const leastWords = 3

// Pair returns what a chunk with these Texts teaches: the first sentence of its doc comment, without its name, and its
// code. It returns false for a chunk that is no function or method with such a sentence.
func Pair(c chunk.Chunk, texts []string) (embed.Pair, bool) {
	if c.Doc == "" || !c.Kind.IsCallable() {
		return embed.Pair{}, false
	}
	text := Sentence(c.Doc)
	if rest, ok := strings.CutPrefix(text, c.Name()+" "); ok {
		text = rest
	}
	if len(strings.Fields(text)) < leastWords {
		return embed.Pair{}, false
	}
	code := slices.Clone(texts)
	code[docField] = ""
	return embed.Pair{Text: text, Code: Embedded(code)}, true
}

// Embedded returns the text of a chunk that its vector is made of.
func Embedded(texts []string) string { return strings.Join(texts, "\n") }

// Sentence returns the first sentence of a doc comment on one line, without its period.
func Sentence(doc string) string {
	doc, _, _ = strings.Cut(doc, "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	for at := 0; ; {
		n := strings.Index(doc[at:], ". ")
		if n < 0 {
			return strings.TrimSuffix(doc, ".")
		}
		at += n + 1
		if !strings.HasSuffix(doc[:at], "e.g.") && !strings.HasSuffix(doc[:at], "i.e.") {
			return doc[:at-1]
		}
	}
}
