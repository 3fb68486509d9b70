package text

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\n\ttext é 👩‍💻":                      "plain\n\ttext é 👩‍💻",
		"\x1b[2Jgone\x00":                          `\x1b[2Jgone\x00`,
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\a":     `\x1b]8;;http://x\x1b\link\x1b]8;;\x07`,
		"windows\r\n":                              "windows\n",
		"over\rwritten\u009b\x7f":                  `over\x0dwritten\u009b\u007f`,
		"left \u202eright\u2066 isolate\u200f":     `left \u202eright\u2066 isolate\u200f`,
		"a\x9b31m\xff, \xe2\x82 and half \xf0\x9f": `a\x9b31m\xff, \xe2\x82 and half \xf0\x9f`,
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			var b bytes.Buffer
			w := &VisibleWriter{to: &b}
			for rest := []byte(text); len(rest) > 0; {
				part := rest[:min(size, len(rest))]
				n, err := w.Write(part)
				assert.Equal(t, len(part), n)
				assert.NoError(t, err)
				rest = rest[len(part):]
			}
			assert.NoError(t, w.Flush())
			assert.Equal(t, want, b.String(), "%q in parts of %d", text, size)
		}
	}
}

// TestVisible_json: JSON says the same as before.
func TestVisible_json(t *testing.T) {
	t.Parallel()
	text := "\x1b[31m \u009b31m \u202e \x7f \u2028 \r\n é \x00"
	src, err := json.Marshal(text)
	assert.NoError(t, err)
	var got string
	assert.NoError(t, json.Unmarshal(Visible(src), &got))
	assert.Equal(t, text, got)
	shown := Visible(src)
	assert.False(t, bytes.ContainsFunc(shown, isControl), "%q", shown)
}
