package outline

import (
	"context"

	"chant/engine/code/chunk"
	"chant/engine/code/gofile"
)

// Version is raised when the same file gets other chunks.
const Version = "1"

// Outline is what a file consists of.
type Outline struct {
	Language string
	Chunks   []chunk.Chunk
	Skipped  string // why the file is left out because of its content; then it has no chunks
}

// Of divides a file into chunks. It fails only if the context has ended.
func Of(ctx context.Context, name string, text []byte) (Outline, error) {
	language := Language(name, text)
	d := divider{src: text}
	switch {
	case language == "markdown":
		return Outline{Language: language, Chunks: sections(text)}, ctx.Err()
	case language == "go":
		if chunks, err := gofile.Chunks(text); err == nil {
			return Outline{Language: language, Chunks: chunks}, ctx.Err()
		}
		d.windows(0, len(text), chunk.Unknown)
	case isDocs(language), isData(language):
		d.windows(0, len(text), chunk.Document)
	default:
		d.windows(0, len(text), chunk.Unknown)
	}
	return Outline{Language: language, Chunks: d.chunks}, ctx.Err()
}

// IsDocs reports whether the file is documentation rather than code or data.
func (o Outline) IsDocs() bool { return isDocs(o.Language) }
