package node

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// lines returns log lines with a time, one for each character of a text.
func lines(text string) string {
	var b strings.Builder
	for _, c := range text {
		b.WriteString("2026-11-26T10:00:00.000Z " + string(c) + "\n")
	}
	return b.String()
}

// TestLogCopy: what the file has is not written again, whatever it begins with, and what is new is appended.
func TestLogCopy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file  string   // what the log has
		had   []string // pieces that the fleet had
		comes []string // pieces that come later
		want  string
	}{
		"no file":                   {"", []string{lines("abc")}, []string{lines("d")}, lines("abcd")},
		"an earlier log":            {lines("xyz"), []string{lines("abc")}, nil, lines("xyzabc")},
		"mirrored before":           {lines("xyzab"), []string{lines("abc")}, []string{lines("d")}, lines("xyzabcd")},
		"all mirrored":              {lines("abc"), []string{lines("ab"), lines("c")}, nil, lines("abc")},
		"a run here in between":     {lines("abxyz"), []string{lines("abc")}, nil, lines("abxyzc")},
		"the fleet dropped some":    {lines("abcd"), []string{lines("cdef")}, nil, lines("abcdef")},
		"the fleet dropped more":    {lines("ab"), []string{lines("ef")}, nil, lines("abef")},
		"the same line twice":       {lines("a"), []string{lines("aa")}, []string{lines("a")}, lines("aaa")},
		"the same line later":       {lines("ab"), []string{lines("ab")}, []string{lines("ab")}, lines("abab")},
		"begins within a line":      {lines("ab"), []string{"Z a\n" + lines("bc")}, nil, lines("abc")},
		"pieces end within lines":   {lines("a"), []string{lines("ab")[:40], lines("ab")[40:]}, []string{lines("c")[:9], lines("c")[9:]}, lines("abc")},
		"a line without an end":     {lines("a"), []string{lines("a")}, []string{"the end"}, lines("a") + "the end"},
		"killed within a line":      {lines("ab")[:40], []string{lines("abc")}, nil, lines("abc")},
		"an earlier log has no end": {lines("x") + "cut", []string{lines("a")}, nil, lines("x") + "cut\n" + lines("a")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a.log")
			if c.file != "" {
				assert.NoError(t, os.WriteFile(path, []byte(c.file), 0o600))
			}
			for range 2 { // the second time nothing is new
				l, err := openCopy(path)
				assert.NoError(t, err)
				addAll(t, l, c.had)
				l.caughtUp()
				addAll(t, l, c.comes)
				assert.NoError(t, l.end())
				got, err := os.ReadFile(path)
				assert.NoError(t, err)
				assert.Equal(t, c.want, string(got))
				c.had, c.comes = append(c.had, c.comes...), nil
			}
		})
	}
}

func addAll(t *testing.T, l *logCopy, pieces []string) {
	t.Helper()
	for _, p := range pieces {
		assert.NoError(t, l.add([]byte(p)))
	}
}

// TestLogCopy_full: a machine that writes without end does not fill the disk of others.
func TestLogCopy_full(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.log")
	assert.NoError(t, os.WriteFile(path, nil, 0o600))
	if err := os.Truncate(path, maxCopy-5); err != nil { // which takes no room
		t.Fatal(err)
	}
	c, err := openCopy(path)
	assert.NoError(t, err)
	c.caughtUp()
	for range 3 {
		assert.NoError(t, c.add([]byte(lines("abc"))))
	}
	if info, err := os.Stat(path); err != nil || info.Size() > maxCopy+int64(len(lines("abc"))) {
		t.Errorf("%d bytes, %v, want no more than %d and one piece", info.Size(), err, maxCopy)
	}
}
