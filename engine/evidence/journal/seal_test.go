package journal

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// journalOf writes sealed records that differ in their attempt.
func journalOf(t testing.TB, secret []byte, id string, n int) (lines [][]byte) {
	t.Helper()
	prev := ""
	for i := range n {
		line, seal, err := Line(secret, id, prev, Record{Time: time.Unix(0, 0).UTC(), Attempt: i, Step: Verify, State: Done, Data: []byte(`{"why":"<&>"}`)})
		assert.NoError(t, err)
		prev, lines = seal, append(lines, line)
	}
	return lines
}

// TestSealed: only records count that this machine has written, for this spec, in this order, with none left out.
func TestSealed(t *testing.T) {
	t.Parallel()
	secret, id := []byte("secret"), "001"
	all := journalOf(t, secret, id, 5)
	plain, _, err := Line(nil, id, "", Record{Step: Verify, State: Done})
	assert.NoError(t, err)
	for name, tc := range map[string]struct {
		lines [][]byte
		id    string
		want  int // how many of all count, from the first on
	}{
		"whole":                     {all, id, 5},
		"cut at the end":            {all[:3], id, 3},
		"of another spec":           {all, "002", 0},
		"one taken out":             {slices.Delete(slices.Clone(all), 2, 3), id, 2},
		"the first taken out":       {all[1:], id, 0},
		"two exchanged":             {[][]byte{all[0], all[2], all[1], all[3], all[4]}, id, 2},
		"one repeated":              {[][]byte{all[0], all[1], all[1], all[2], all[0]}, id, 3},
		"an unsealed one between":   {[][]byte{all[0], plain, all[1]}, id, 2},
		"one changed":               {[][]byte{all[0], bytes.Replace(all[1], []byte("done"), []byte("note"), 1), all[2]}, id, 1},
		"a seal changed":            {[][]byte{all[0], append(bytes.Clone(all[1][:len(all[1])-3]), `-"}`...)}, id, 1},
		"with another secret":       {journalOf(t, []byte("other"), id, 2), id, 0},
		"a member after the seal":   {[][]byte{append(bytes.Clone(all[0][:len(all[0])-1]), `,"x":1}`...)}, id, 0},
		"nothing":                   {nil, id, 0},
		"lines that are not sealed": {[][]byte{[]byte("{}"), []byte(""), []byte(`"}`), []byte(`,"seal":"0123456789012345678901"}`)}, id, 0},
	} {
		got := SealedLines(secret, tc.id, tc.lines)
		if !slices.EqualFunc(got, all[:tc.want], bytes.Equal) {
			t.Errorf("%s: %d records count, want %d\n%s", name, len(got), tc.want, bytes.Join(got, []byte("\n")))
		}
	}
	text := append(bytes.Join(all, []byte("\n")), '\n')
	last := LastSeal(secret, id, text)
	assert.NotEqual(t, "", last, "the last seal")
	assert.Contains(t, string(all[4]), last, "the last seal")
	assert.Equal(t, "", LastSeal(secret, id, nil), "the last seal")
}

// FuzzSealed: a line that counts as the first of a journal was written with the secret.
func FuzzSealed(f *testing.F) {
	secret := []byte("secret")
	first := journalOf(f, secret, "001", 1)[0]
	f.Add([]byte(first))
	f.Add([]byte(`{"step":"verify","seal":"0123456789012345678901"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		assert.False(t, len(SealedLines(secret, "001", [][]byte{line})) > 0 && !bytes.Equal(bytes.TrimSpace(line), first), "believed: %q", line)
	})
}

func BenchmarkSealed(b *testing.B) {
	lines := journalOf(b, []byte("secret"), "001", 50)
	for b.Loop() {
		if len(SealedLines([]byte("secret"), "001", lines)) != 50 {
			b.Fatal(fmt.Errorf("not all count"))
		}
	}
}
