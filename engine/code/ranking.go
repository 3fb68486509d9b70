package code

import (
	"strings"

	"chant/engine/code/chunk"
	"chant/engine/find"
)

// defaultWeight is the share of the meaning unless a question says otherwise.
const defaultWeight = 0.3

// fields are the fields of chunks with their weights, in the order of fieldTexts.
func fields() find.Fields {
	return find.Fields{{Name: "name", Weight: 8}, {Name: "signature", Weight: 2}, {Name: "path", Weight: 5}, {Name: "doc", Weight: 3}, {Name: "body", Weight: 1}}
}

func fieldTexts(file string, c chunk.Chunk, body string) []string {
	return []string{strings.Join(c.Symbols, " ") + " " + c.Breadcrumb, c.Signature, file, c.Doc, body}
}

func percent(score float64) int { return int(100*score + 0.5) }
