package criteria

import (
	"strings"

	"chant/engine/spec"
)

// FailedBox is in the place of the box of a criterion that has failed, where a text is shown.
const FailedBox = "[✗]"

// Box is the box of a criterion as it is shown.
func Box(c spec.Criterion) string {
	switch {
	case c.Failed:
		return FailedBox
	case c.Checked:
		return "[x]"
	}
	return "[ ]"
}

// ShownBody is the body of a spec as it is shown: the box of a criterion that has failed says that.
func ShownBody(f *spec.File) string {
	body := f.Doc.Body()
	start := len(f.Doc.Bytes()) - len(body)
	var out strings.Builder
	at := 0
	for _, c := range f.Criteria() {
		box := c.Offset - start - 1 // of its bracket
		if c.Failed && c.File == "" && box >= at {
			out.Write(body[at:box])
			out.WriteString(FailedBox)
			at = box + len("[x]")
		}
	}
	out.Write(body[at:])
	return out.String()
}
