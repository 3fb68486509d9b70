package code

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/code/shelf"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// Bounds of what a prompt quotes.
const (
	quotedHits  = 40   // chunks that are considered
	quotedShare = 0.35 // of the best score, below which a chunk hardly has to do with the question
	askedBytes  = 2000 // of a question: its beginning says what it is about
)

// QuoteInput asks for the code that a prompt should quote.
type QuoteInput struct {
	Folder string // a worktree, or a folder in it
	About  string // what the work is about, the most important words first
	Tokens int    // roughly, a quarter of the characters: the most that may be quoted
}

// Quote returns the pieces of code that work is most likely about, as a section of a prompt in Markdown, and then the
// files of further ones, as far as the budget allows; "" if nothing was found. It indexes what has not been indexed.
// Errors: those of Search.
func Quote(ctx context.Context, p *engine.Project, in QuoteInput) (string, error) {
	ask := question{asks: next.Code, query: cutText(in.About, askedBytes), folder: in.Folder, limit: quotedHits, weight: shelf.DefaultWeight}
	shot, hits, err := ask.search(ctx, p, true, nil)
	if err != nil {
		return "", err
	}
	// A token is about four characters.
	q := quoteBudget{left: 4*in.Tokens - len(quotedHeading), quoted: map[string]bool{}}
	for _, h := range hits {
		// The hits are sorted, so all that follow are further from the question.
		if h.score < quotedShare*hits[0].score {
			break
		}
		q.add(h.toHit(shot))
	}
	return q.text(), nil
}

const (
	quotedHeading = "\n## Code that may matter\n\nFound by the words of this spec. Read the files before you change them: this may be incomplete.\n"
	furtherFiles  = "\nFurther files that may matter:\n\n"
)

// quoteBudget collects pieces of code within a budget.
type quoteBudget struct {
	left    int // characters
	pieces  strings.Builder
	quoted  map[string]bool // files
	further []string        // files of pieces that are too long
}

// add quotes a piece if there is room for it, and otherwise remembers its file.
func (q *quoteBudget) add(h Hit) {
	piece := fmt.Sprintf("\n### `%s`, lines %d to %d\n\n%s\n", h.Path, h.StartLine, h.EndLine, spec.Fenced(h.Language, h.Content))
	if len(piece) <= q.left {
		q.left -= len(piece)
		q.pieces.WriteString(piece)
		q.quoted[h.Path] = true
		return
	}
	if !slices.Contains(q.further, h.Path) {
		q.further = append(q.further, h.Path)
	}
}

func (q *quoteBudget) text() string {
	var files strings.Builder
	q.left -= len(furtherFiles)
	for _, path := range q.further {
		if line := fmt.Sprintf("- `%s`\n", path); len(line) <= q.left && !q.quoted[path] {
			q.left -= len(line)
			files.WriteString(line)
		}
	}
	list := files.String()
	if list != "" {
		list = furtherFiles + list
	}
	if list == "" && q.pieces.Len() == 0 {
		return ""
	}
	return quotedHeading + q.pieces.String() + list
}
