package verify

import (
	"testing"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"

	"github.com/alecthomas/assert/v2"
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
	assert.NoError(t, err)
	h.noteText(attempt.NotesRef+"-origin", b, text)
	d := h.commit("d", nil)
	h.note(d, at(4, d, 9))
	old := at(4, a, 1)
	text, err = old.Encode()
	assert.NoError(t, err)
	h.noteText(attempt.NotesRef+"-origin", a, text)
	h.noteText(attempt.NotesRef+"-upstream", a, []byte("not evidence"))
	h.noteText("refs/notes/commits", c, text)

	refs, err := NotesRefs(t.Context(), h.p)
	want := []string{attempt.NotesRef, attempt.NotesRef + "-origin", attempt.NotesRef + "-upstream"}
	assert.NoError(t, err)
	assert.Equal(t, want, refs)
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
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, tt.want == "", got == nil, "%s", name)
		assert.False(t, got != nil && got.Commit != tt.want, "%s: %+v, %v, want %q", name, got, err, tt.want)
	}
	got, err := evidenceAt(t.Context(), h.p, idOf(2), a)
	assert.True(t, got == nil, "evidence of another spec: %+v, %v", got, err)
	assert.NoError(t, err, "evidence of another spec")
	past := &journal.History{Attempts: []*journal.Attempt{{Commit: b}, {Commit: a, Landing: c}}}
	got, err = Evidence(t.Context(), h.p, idOf(1), past)
	assert.NoError(t, err, "of the last landing")
	assert.True(t, got != nil, "of the last landing: %+v, %v", got, err)
	assert.Equal(t, c, got.Commit, "of the last landing")
	got, err = Evidence(t.Context(), h.p, idOf(1), &journal.History{})
	assert.NoError(t, err, "without an attempt")
	assert.True(t, got != nil, "without an attempt: %+v, %v", got, err)
	assert.Equal(t, b, got.Commit, "without an attempt")
}

func TestReadEvidence(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	at := h.rev("HEAD")
	r := h.proof(idOf(1), at, asked)
	r.Accepted, r.Environment = true, map[string]string{"CI": "1"}
	h.note(at, r)
	got, err := evidenceAt(t.Context(), h.p, idOf(1), at)
	assert.NoError(t, err)
	assert.True(t, got != nil, "%v %v", got, err)
	assert.Equal(t, at, got.Commit)
	assert.Equal(t, at, got.about)
	assert.Equal(t, r.Tree, got.Tree)
	assert.True(t, got.At.Equal(r.At), "%+v", got)
	assert.Equal(t, criteria.Passed, got.Status)
	assert.True(t, got.Accepted, "%+v", got)
	assert.False(t, got.Edited, "%+v", got)
	assert.True(t, got.verified, "%+v", got)
	assert.Equal(t, "1", got.Environment["CI"])
	assert.Equal(t, 2, len(got.Criteria))
}
