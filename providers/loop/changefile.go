package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"chant/text"
)

type writeInput struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func (f files) writeTool() Tool {
	return Tool{
		Name: "write_file", Description: "Write a file, new or over the old one, with its folders",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`),
		Call:   typedCall(f.write),
	}
}

func (f files) write(_ context.Context, in writeInput) (string, error) {
	at, err := f.tree.write(in.Path, []byte(in.Content))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("wrote %d bytes to %s", len(in.Content), at), nil
}

type editInput struct {
	Path string `json:"path"`
	Old  string `json:"old_text"`
	New  string `json:"new_text"`
}

func (f files) editTool() Tool {
	return Tool{
		Name: "edit_file", Description: "Replace a text that occurs exactly once in a file",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},` +
			`"old_text":{"type":"string","description":"exactly as in the file, with enough lines to be unique"},"new_text":{"type":"string"}},` +
			`"required":["path","old_text","new_text"]}`),
		Call: typedCall(f.edit),
	}
}

func (f files) edit(_ context.Context, in editInput) (string, error) {
	src, _, err := f.tree.read(in.Path)
	if err != nil {
		return "", err
	}
	text := string(src)
	if in.Old == "" {
		return "", fmt.Errorf("old_text is empty; use write_file to write a whole file")
	}
	if in.Old == in.New {
		return "", fmt.Errorf("old_text and new_text are the same; nothing was changed")
	}
	if !strings.Contains(text, in.Old) && strings.Contains(text, "\r\n") {
		// Models do not see the carriage returns.
		in.Old, in.New = toCRLF(in.Old), toCRLF(in.New)
	}
	// A text that occurs several times must not be replaced at a place by chance.
	switch n := strings.Count(text, in.Old); n {
	case 1:
	case 0:
		return "", fmt.Errorf("old_text is not in %s; nothing was changed. %s", in.Path, nearestLines(text, in.Old))
	default:
		return "", fmt.Errorf("old_text is in %s %d times (lines %s); nothing was changed. Take more lines around the one you mean",
			in.Path, n, strings.Join(linesOf(text, in.Old), ", "))
	}
	at, err := f.tree.write(in.Path, []byte(strings.Replace(text, in.Old, in.New, 1)))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("changed %s at line %s", at, linesOf(text, in.Old)[0]), nil
}

func toCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// linesOf lists the lines at which a text begins, a few of them.
func linesOf(text, part string) []string {
	const most = 5
	var at []string
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return at
		}
		if len(at) == most {
			return append(at, "…")
		}
		from += i
		at = append(at, fmt.Sprint(1+strings.Count(text[:from], "\n")))
		from += len(part)
	}
}

// nearestLines shows the lines of a file that are most like the one that was looked for.
func nearestLines(src, old string) string {
	const before, behind = 1, 3
	lines := strings.Split(src, "\n")
	want := trigrams(text.FirstLine(old))
	best, at := 0, -1
	for i, line := range lines {
		if like := overlap(trigrams(line), want); like > best {
			best, at = like, i
		}
	}
	if at < 0 {
		return "No line is like it; read the file"
	}
	from, to := max(0, at-before), min(len(lines), at+behind)
	return fmt.Sprintf("The nearest lines are %d to %d:\n%s", from+1, to, text.ClipBytes(strings.Join(lines[from:to], "\n"), 1000))
}

// trigrams are the runs of three bytes of a line, by which lines are compared: white space
// is what models get wrong most.
func trigrams(line string) map[string]bool {
	// White space is what models get wrong most.
	packed := strings.Join(strings.Fields(line), "")
	out := map[string]bool{}
	for i := 0; i+3 <= len(packed); i++ {
		out[packed[i:i+3]] = true
	}
	return out
}

// overlap counts what two sets share, less what they do not.
func overlap(a, b map[string]bool) int {
	shared := 0
	for k := range a {
		if b[k] {
			shared++
		}
	}
	return 3*shared - len(a) - len(b)/2
}
