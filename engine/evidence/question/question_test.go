package question

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
	assert.Equal(t, 2, len(got))
	assert.Equal(t, "yes", got[0].Answer)
	assert.Equal(t, OnBoard, got[0].How)
	assert.Equal(t, "", got[0].Why)
	assert.False(t, got[0].Received, "%+v", got)
	assert.Equal(t, 7, got[1].Number)
	assert.Equal(t, Open, got[1].State)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"event":"asked","n":1,"question":{"prompt":"one?"}}` + "\n" + `{"event":"answered","n":1,"text":"yes"}` + "\n"))
	f.Add([]byte(`{"event":"kept","n":3,"question":{"state":"withdrawn"}}` + "\n" + `{"event":"received","n":3}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		n := 0
		for _, q := range read("a", src) {
			assert.True(t, q.Number > n, "number %d follows %d", q.Number, n)
			n = q.Number
			assert.False(t, q.State != Open && q.State != Answered && q.State != Withdrawn, "%+v", q)
			assert.Equal(t, "a", q.Place())
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
		assert.Equal(t, tt.want, string(tt.got))
		assert.True(t, len(tt.got) <= 200, "%q, want %q", tt.got, tt.want)
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
	_, err := b.Answer(t.Context(), "a", "a", 0, "yes", ByCommand)
	assert.NoError(t, err)
	answered := <-got
	assert.Equal(t, "yes", answered.Answer, "awaited %+v", answered)
	var e *Error
	_, err = b.Await(t.Context(), "a", 9)
	assert.True(t, errors.As(err, &e), "an unknown one: %v", err)
	assert.Equal(t, None, e.Kind, "an unknown one")
}
