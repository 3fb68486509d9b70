package verify

import (
	"slices"
	"testing"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
)

// TestNewestEvidence: evidence is searched in the notes of the given commits and then of any commit, in this
// repository's notes and in fetched ones.
func TestNewestEvidence(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	a := h.commit("a", nil)
	b := h.commit("b", nil)
	c := h.commit("c", nil)
	at := func(n int, commit string, minute int) criteria.Report {
		r := h.proof(idOf(n), commit, asked)
		r.At = r.At.Add(time.Duration(minute) * time.Minute)
		return r
	}
	if refs, err := NotesRefs(t.Context(), h.p); err != nil || len(refs) != 0 {
		t.Errorf("before there is any: %q, %v", refs, err)
	}
	h.note(a, at(1, a, 5))
	h.note(b, at(2, b, 1))
	h.note(c, at(1, c, 9))
	fetched := at(1, b, 20)
	text, err := fetched.Encode()
	if err != nil {
		t.Fatal(err)
	}
	h.noteText(attempt.NotesRef+"-origin", b, text)
	d := h.commit("d", nil)
	h.note(d, at(4, d, 9))
	old := at(4, a, 1)
	if text, err = old.Encode(); err != nil {
		t.Fatal(err)
	}
	h.noteText(attempt.NotesRef+"-origin", a, text)
	h.noteText(attempt.NotesRef+"-upstream", a, []byte("not evidence"))
	h.noteText("refs/notes/commits", c, text)

	refs, err := NotesRefs(t.Context(), h.p)
	if want := []string{attempt.NotesRef, attempt.NotesRef + "-origin", attempt.NotesRef + "-upstream"}; err != nil || !slices.Equal(refs, want) {
		t.Errorf("%q, %v", refs, err)
	}
	for name, tt := range map[string]struct {
		n       int
		commits []string
		want    string // the commit that has the note
	}{
		"of the commit":                     {1, []string{a}, a},
		"the first of several":              {1, []string{c, a}, c},
		"one that has none is passed over":  {2, []string{c, b}, b},
		"fetched, of the commit":            {1, []string{b}, b},
		"of any commit: the newest":         {1, nil, b},
		"of any other commit":               {2, []string{a, c}, b},
		"of any commit: older ones fetched": {4, nil, d},
		"of no such spec":                   {3, []string{a, b, c}, ""},
	} {
		got, err := newestEvidence(t.Context(), h.p, idOf(tt.n), tt.commits...)
		if err != nil || (got == nil) != (tt.want == "") || got != nil && got.Commit != tt.want {
			t.Errorf("%s: %+v, %v, want %q", name, got, err, tt.want)
		}
	}
	if got, err := evidenceAt(t.Context(), h.p, idOf(2), a); got != nil || err != nil {
		t.Errorf("evidence of another spec: %+v, %v", got, err)
	}
	past := &journal.History{Attempts: []*journal.Attempt{{Commit: b}, {Commit: a, Landing: c}}}
	if got, err := Evidence(t.Context(), h.p, idOf(1), past); err != nil || got == nil || got.Commit != c {
		t.Errorf("of the last landing: %+v, %v", got, err)
	}
	if got, err := Evidence(t.Context(), h.p, idOf(1), &journal.History{}); err != nil || got == nil || got.Commit != b {
		t.Errorf("without an attempt: %+v, %v", got, err)
	}
}

func TestReadEvidence(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	at := h.rev("HEAD")
	r := h.proof(idOf(1), at, asked)
	r.Accepted, r.Environment = true, map[string]string{"CI": "1"}
	h.note(at, r)
	got, err := evidenceAt(t.Context(), h.p, idOf(1), at)
	if err != nil || got == nil {
		t.Fatal(got, err)
	}
	if got.Commit != at || got.about != at || got.Tree != r.Tree || !got.At.Equal(r.At) || got.Status != criteria.Passed {
		t.Errorf("%+v", got)
	}
	if !got.Accepted || got.Edited || !got.verified || got.Environment["CI"] != "1" || len(got.Criteria) != 2 {
		t.Errorf("%+v", got)
	}
}
