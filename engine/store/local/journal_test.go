package local

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

type step struct{ N int }

// steps prints the records of a journal.
func steps(t *testing.T, p *project, id string) string {
	t.Helper()
	records, err := p.Records(id)
	assert.NoError(t, err)
	var out []string
	for _, r := range records {
		var s step
		assert.NoError(t, json.Unmarshal(r, &s), "%q", r)
		out = append(out, fmt.Sprint(s.N))
	}
	return strings.Join(out, " ")
}

func TestAppend_inOrder(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	assert.Equal(t, "", steps(t, p, idA), "a journal before the first record")
	for n := range 3 {
		_, err := p.Append(idA, step{n})
		assert.NoError(t, err)
	}
	_, err := p.Append(idB, step{9})
	assert.NoError(t, err)
	a, b := steps(t, p, idA), steps(t, p, idB)
	assert.Equal(t, "0 1 2", a)
	assert.Equal(t, "9", b)
	_, err = p.Append(idA, func() {})
	assert.Error(t, err, "a function is a record")
	assert.Contains(t, err.Error(), idA, "a function is a record")
}

func TestRecords_tornLine(t *testing.T) {
	t.Parallel()
	for torn, want := range map[string]string{
		`{"N":1}` + "\n" + `{"N":2`:                         "1",
		`{"N":1}` + "\n" + `{"N":2}`:                        "1 2", // only the end of the line is missing
		`{"N":1}` + "\n" + `{"N"` + "\n" + `{"N":3}` + "\n": "1 3",
		`{"N":1}` + "\n\x00\x00\x00":                        "1", // what some file systems leave after a power cut
		"{":                                                 "",
		"":                                                  "",
	} {
		p := newProject(t)
		put(t, p.JournalPath(idA), torn)
		assert.Equal(t, want, steps(t, p, idA), "%q reads", torn)
		_, err := p.Append(idA, step{7})
		assert.NoError(t, err)
		assert.Equal(t, strings.TrimSpace(want+" 7"), steps(t, p, idA), "%q and one more read", torn)
	}
}

func TestAppend_parallel(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const n = 20
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := p.Append(idA, step{i}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, n, len(strings.Fields(steps(t, p, idA))))
}

func TestRecords_unreadable(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	assert.NoError(t, os.MkdirAll(p.JournalPath(idA), 0o755))
	_, err := p.Records(idA)
	assert.Error(t, err, "a folder is a journal")
	assert.Contains(t, err.Error(), idA, "a folder is a journal")
	_, err = p.Append(idA, step{1})
	assert.Error(t, err, "a folder takes a record")
}
