package local

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

type step struct{ N int }

// steps prints the records of a journal.
func steps(t *testing.T, p *project, id string) string {
	t.Helper()
	records, err := p.Records(id)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		var s step
		if err := json.Unmarshal(r, &s); err != nil {
			t.Fatalf("%q: %v", r, err)
		}
		out = append(out, fmt.Sprint(s.N))
	}
	return strings.Join(out, " ")
}

func TestAppend_inOrder(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	if got := steps(t, p, idA); got != "" {
		t.Errorf("a journal before the first record: %q", got)
	}
	for n := range 3 {
		if _, err := p.Append(idA, step{n}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Append(idB, step{9}); err != nil {
		t.Fatal(err)
	}
	if a, b := steps(t, p, idA), steps(t, p, idB); a != "0 1 2" || b != "9" {
		t.Errorf("%q, %q", a, b)
	}
	if _, err := p.Append(idA, func() {}); err == nil || !strings.Contains(err.Error(), idA) {
		t.Errorf("a function is a record: %v", err)
	}
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
		if got := steps(t, p, idA); got != want {
			t.Errorf("%q reads as %q, want %q", torn, got, want)
		}
		if _, err := p.Append(idA, step{7}); err != nil {
			t.Fatal(err)
		}
		if got := steps(t, p, idA); got != strings.TrimSpace(want+" 7") {
			t.Errorf("%q and one more read as %q", torn, got)
		}
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
	if got := len(strings.Fields(steps(t, p, idA))); got != n {
		t.Errorf("%d records, want %d", got, n)
	}
}

func TestRecords_unreadable(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	if err := os.MkdirAll(p.JournalPath(idA), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Records(idA); err == nil || !strings.Contains(err.Error(), idA) {
		t.Errorf("a folder is a journal: %v", err)
	}
	if _, err := p.Append(idA, step{1}); err == nil {
		t.Error("a folder takes a record")
	}
}
