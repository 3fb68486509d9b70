package outline

import (
	"context"
	"time"

	"chant/engine/code/chunk"
	"chant/engine/code/gofile"
	"chant/engine/code/scan"
	"chant/engine/code/syntax"
)

// Version is raised when the same file gets other chunks.
const Version = "3"

// Outline is what a file consists of.
type Outline struct {
	Language string
	Chunks   []chunk.Chunk
	Skipped  string // why the file is left out because of its content; then it has no chunks
}

// Of divides a file into chunks. It fails only if the context has ended.
func Of(ctx context.Context, name string, text []byte) (Outline, error) {
	language := Language(name, text)
	return Outline{Language: language, Chunks: divide(ctx, language, text)}, ctx.Err()
}

func divide(ctx context.Context, language string, text []byte) []chunk.Chunk {
	d := divider{src: text}
	switch grammar, ok := grammarOf(language); {
	case language == "markdown":
		return sections(text)
	case isDocs(language), isData(language):
		d.windows(0, len(text), chunk.Document)
		return d.chunks
	case language == "go":
		if chunks, err := gofile.Chunks(text); err == nil {
			return chunks
		}
	case ok:
		limited, cancel := context.WithTimeout(ctx, mostTime)
		defer cancel()
		if chunks, err := syntax.Chunks(limited, grammar, text); err == nil || ctx.Err() != nil {
			return chunks
		}
	}
	return scan.Chunks(language, text)
}

// mostTime is how long the parser of a grammar may take for a file.
const mostTime = 2 * time.Second

// grammarOf returns the grammar of a language, false if there is none.
func grammarOf(language string) (syntax.Language, bool) {
	switch language {
	case "swift":
		return syntax.Swift, true
	case "typescript":
		return syntax.TypeScript, true
	case "tsx":
		return syntax.TSX, true
	case "javascript":
		return syntax.JavaScript, true
	case "python":
		return syntax.Python, true
	case "rust":
		return syntax.Rust, true
	case "java":
		return syntax.Java, true
	case "kotlin":
		return syntax.Kotlin, true
	case "c":
		return syntax.C, true
	case "cpp":
		return syntax.CPP, true
	case "csharp":
		return syntax.CSharp, true
	case "ruby":
		return syntax.Ruby, true
	case "php":
		return syntax.PHP, true
	case "bash":
		return syntax.Bash, true
	}
	return syntax.Swift, false
}

// IsDocs reports whether the file is documentation rather than code or data.
func (o Outline) IsDocs() bool { return isDocs(o.Language) }
