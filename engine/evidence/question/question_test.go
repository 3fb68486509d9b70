package question

import (
	"errors"
	"strings"
	"testing"
)

func TestRead_skipsWhatDoesNotFollow(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"event":"answered","n":1,"text":"too early"}`,
		`{"event":"asked","n":1,"at":"2026-01-02T03:04:05Z","question":{"prompt":"one?","state":"answered","answer":"made up"}}`,
		`not json`,
		`{"event":"asked","n":1,"question":{"prompt":"again?"}}`,
		`{"event":"asked","n":0,"question":{"prompt":"zero?"}}`,
		`{"event":"asked","n":4}`,
		`{"event":"kept","n":5,"question":{"prompt":"five?","state":"odd"}}`,
		`{"event":"received","n":1}`,
		`{"event":"answered","n":1,"text":"yes","how":"board"}`,
		`{"event":"withdrawn","n":1,"text":"late"}`,
		`{"event":"unknown","n":1}`,
		`{"event":"asked","n":7,"question":{"prompt":"seven?"}}`,
		`{"event":"answered","n":7,"text":"cut sho`,
	}
	got := read("a", []byte(strings.Join(lines, "\n")))
	if len(got) != 2 || got[0].Answer != "yes" || got[0].How != OnBoard || got[0].Why != "" || got[0].Received || got[1].Number != 7 || got[1].State != Open {
		t.Errorf("%+v", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"event":"asked","n":1,"question":{"prompt":"one?"}}` + "\n" + `{"event":"answered","n":1,"text":"yes"}` + "\n"))
	f.Add([]byte(`{"event":"kept","n":3,"question":{"state":"withdrawn"}}` + "\n" + `{"event":"received","n":3}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		n := 0
		for _, q := range read("a", src) {
			if q.Number <= n {
				t.Fatalf("number %d follows %d", q.Number, n)
			}
			if n = q.Number; q.State != Open && q.State != Answered && q.State != Withdrawn || q.Place() != "a" {
				t.Fatalf("%+v", q)
			}
		}
	})
}

func TestPlace(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä/", 200)
	for _, tt := range []struct {
		got  Place
		want string
	}{
		{OfSpec("2026-01-02-001-abc"), "2026-01-02-001-abc"},
		{OfBranch("060-mcp/x"), ".branch-060-mcp%2Fx"},
		{OfBranch(long), ".branch-~" + hashText(long)},
		{OfFolder("/w"), ".folder-" + hashText("/w")},
	} {
		if string(tt.got) != tt.want || len(tt.got) > 200 {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestQuestion_of(t *testing.T) {
	t.Parallel()
	for want, q := range map[string]Question{
		"001": {Spec: "001", Branch: "chant/001", Worktree: "/w"}, "060-x": {Branch: "060-x", Worktree: "/w"}, "/w": {Worktree: "/w"},
	} {
		if q.Subject() != want {
			t.Errorf("%+v is about %q", q, q.Subject())
		}
	}
}

func TestAwait(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	q := ask(t, b, "a", "one?")
	got := make(chan Question)
	go func() {
		answered, err := b.Await(t.Context(), "a", q.Number)
		if err != nil {
			t.Error(err)
		}
		got <- answered
	}()
	if _, err := b.Answer(t.Context(), "a", "a", 0, "yes", ByCommand); err != nil {
		t.Fatal(err)
	}
	if answered := <-got; answered.Answer != "yes" {
		t.Errorf("awaited %+v", answered)
	}
	var e *Error
	if _, err := b.Await(t.Context(), "a", 9); !errors.As(err, &e) || e.Kind != None {
		t.Errorf("an unknown one: %v", err)
	}
}
