package screen

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/alecthomas/assert/v2"
	"github.com/charmbracelet/x/ansi"
)

// rows are those of the golden texts: wide characters, a control character, and a long title.
func rows() [][]Cell {
	row := func(id, state, title string) []Cell {
		return []Cell{{id, Dim}, {state, StatusStyle(state)}, {title, Plain}}
	}
	return [][]Cell{
		row("001", "completed", "Parse dates"),
		row("2026-01-02-002-日本", "failed (retry at 2026-01-02T03:04:05Z)", "Print a table whose columns are as wide as the widest of their cells"),
		row("003.1", "pending (ready)", "日本語の長い題名日本語の長い題名日本語の長い題名"),
		row("004", "in_progress (waiting)", "a title\u202ewith\tcontrol\x1b[2Jcharacters"),
	}
}

func drawn(c Canvas) string {
	var out bytes.Buffer
	w := NewWriter(&out)
	all := rows()
	widths := c.Columns(len(all), func(i int) []Cell { return all[i] })
	for _, cells := range all {
		c.WriteRow(w, widths, cells)
	}
	_ = w.Flush()
	return out.String()
}

// TestColumns compares lists with golden texts, in which styles are readable.
func TestColumns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Canvas{
		"pipe":   {},
		"dumb":   {Width: 80},
		"wide":   {Width: 120, Rich: true, Styled: true},
		"usual":  {Width: 80, Rich: true, Styled: true},
		"narrow": {Width: 30, Rich: true, Styled: true},
	} {
		got := drawn(c)
		golden(t, "columns-"+name+".txt", strings.ReplaceAll(got, "\x1b", "ESC"))
		for _, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
			if c.Styled && ansi.StringWidth(line) > c.Width {
				t.Errorf("%s: %d columns: %q", name, ansi.StringWidth(line), line)
			}
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := "testdata/" + name
	if os.Getenv("UPDATE") != "" {
		assert.NoError(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	assert.NoError(t, err, "%s", name)
	assert.Equal(t, string(want), got, "%s", name)
}

// TestWriter: what arrives byte by byte is what arrives at once, and only styles of this package are executed.
func TestWriter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "",
		"plain é\r\n":                   "plain é\n",
		"\x1b[32mdone\x1b[0m\n":         "\x1b[32mdone\x1b[0m\n",
		"\x1b[2J\x1b[8mhidden":          `\x1b[2J\x1b[8mhidden`,
		"\x1b]0;title\a":                `\x1b]0;title\x07`,
		"\x1b":                          `\x1b`,
		"\x1b[3":                        `\x1b[3`,
		"\x1b\x1b[31mred":               `\x1b` + "\x1b[31mred",
		"é\xc3\x1b[1m":                  "é" + `\xc3` + "\x1b[1m",
		"\u202ebackwards \x1b[0m \x1b[": `\u202ebackwards ` + "\x1b[0m " + `\x1b[`,
	} {
		for piece, reader := range map[string]*bytes.Reader{"whole": bytes.NewReader([]byte(text)), "bytes": bytes.NewReader([]byte(text))} {
			var out bytes.Buffer
			w := NewWriter(&out)
			if piece == "bytes" {
				for b := make([]byte, 1); ; {
					if n, _ := iotest.OneByteReader(reader).Read(b); n == 0 {
						break
					}
					_, _ = w.Write(b)
				}
			} else {
				_, _ = w.Write([]byte(text))
			}
			assert.NoError(t, w.Flush(), "%s of %q", piece, text)
			assert.Equal(t, want, out.String(), "%s of %q", piece, text)
		}
	}
	w := NewWriter(failing{})
	_, err := w.Write([]byte("a\x1b[1mb"))
	assert.Error(t, err, "a failed write is no error")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestColours(t *testing.T) {
	t.Parallel()
	for environ, want := range map[string]bool{
		"": false, "TERM=": false, "TERM=dumb": false, "TERM=xterm": true, "TERM=xterm-256color": true, "TERM=xterm NO_COLOR=1": false,
		"TERM=xterm NO_COLOR=yes": false, "TERM=xterm NO_COLOR=": true, "TERM=dumb TERM=xterm": true,
	} {
		assert.Equal(t, want, Colours(strings.Fields(environ)), "%q", environ)
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	c := Canvas{Styled: true, Now: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}
	for text, want := range map[string]string{"2026-11-24T12:00:00Z": "2 days ago", "2026-11-26T14:00:00+01:00": "in 1 hour", "someday": "someday", "": "", c.Now.Add(-3 * time.Hour).Local().Format(time.DateTime): "3 hours ago"} {
		assert.Equal(t, want, c.Time(text), "%q", text)
	}
	// Without styles it is the time on this machine's clock.
	for text, want := range map[string]string{c.Now.Format(time.RFC3339): c.Now.Local().Format(time.DateTime), "2026-11-26 14:00:00": "2026-11-26 14:00:00", "someday": "someday", "": ""} {
		assert.Equal(t, want, (Canvas{}).Time(text), "%q", text)
	}
}

// FuzzWriter: whatever is written, a terminal executes nothing but styles, and the pieces in which it arrives do not
// matter.
func FuzzWriter(f *testing.F) {
	f.Add([]byte("a\x1b[1mb\x1b[2J"), 3)
	f.Add([]byte("\x1b\x1b[0m\xc3"), 1)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		var whole, parts bytes.Buffer
		w := NewWriter(&whole)
		_, _ = w.Write(text)
		_ = w.Flush()
		cut = max(0, min(cut, len(text)))
		w = NewWriter(&parts)
		_, _ = w.Write(text[:cut])
		_, _ = w.Write(text[cut:])
		_ = w.Flush()
		assert.Equal(t, parts.String(), whole.String(), "%q at once", text)
		left := whole.String()
		for _, s := range sequences() {
			left = strings.ReplaceAll(left, s, "")
		}
		assert.NotContains(t, left, "\x1b", "%q became", text)
	})
}
