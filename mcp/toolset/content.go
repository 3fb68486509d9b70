package toolset

import "fmt"

// Block is a piece of the content of a reply: a link where that is set, else a text.
type Block struct {
	Text  string
	Link  *Link
	Hints Annotations

	Repeats bool // the texts of the reply say it too: clients that do not know this kind of block do not get it
}

// Link names a resource that goes with a reply, such as the file of a match.
type Link struct {
	URI, Name, Description, MIME string
}

// Annotations say for whom a block is and how important. The zero value says nothing.
type Annotations struct {
	Audience []string // user, assistant
	Priority *float64 // from 0 to 1
}

// Audiences of a block.
const (
	ForUser      = "user"
	ForAssistant = "assistant"
)

// IsZero reports whether the annotations say nothing.
func (a Annotations) IsZero() bool {
	return len(a.Audience) == 0 && a.Priority == nil
}

// Plain is the block as a text, for clients that know only texts.
func (b Block) Plain() string {
	switch {
	case b.Link != nil && b.Link.Description != "":
		return fmt.Sprintf("[%s](%s): %s", b.Link.Name, b.Link.URI, b.Link.Description)
	case b.Link != nil:
		return fmt.Sprintf("[%s](%s)", b.Link.Name, b.Link.URI)
	}
	return b.Text
}

// texts are blocks of text alone.
func texts(all []string) []Block {
	var out []Block
	for _, text := range all {
		out = append(out, Block{Text: text})
	}
	return out
}
