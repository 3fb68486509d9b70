package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine/evidence/criteria"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// TestFindForgery covers every way in which a completion can be genuine or forged. Each case has its own spec and
// branch.
func TestFindForgery(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	base := h.rev("HEAD")
	done := file("status: completed\n", asked)
	complete := func(id string) string {
		return h.commit(says(id, "complete"), map[string]string{".chant/specs/" + id + ".md": done, id + ".txt": "work\n"})
	}
	for n, c := range []struct {
		name string
		make func(id, path string) (from string)
		want []string // what the reasons say
		none bool     // one of them is that there is no evidence
	}{
		{"no evidence", func(id, path string) string { complete(id); return base }, []string{"no evidence was recorded"}, true},
		{"evidence of this commit", func(id, path string) string {
			at := complete(id)
			h.note(at, h.proof(id, at, asked))
			return base
		}, nil, false},
		{"evidence edited by hand", func(id, path string) string {
			at := complete(id)
			r := h.proof(id, at, asked)
			r.Criteria[1].Holds = false
			text, err := r.Encode()
			assert.NoError(t, err)
			h.noteText(attempt.NotesRef, at, bytes.ReplaceAll(text, []byte(`"holds": false`), []byte(`"holds": true`)))
			return base
		}, []string{"was edited by hand"}, false},
		{"evidence that it did not hold", func(id, path string) string {
			at := complete(id)
			r := h.proof(id, at, asked)
			r.Verified, r.Criteria[1].Holds = false, false
			h.note(at, r)
			return base
		}, []string{"records that verification did not pass"}, false},
		{"evidence of fewer criteria", func(id, path string) string {
			at := complete(id)
			r := h.proof(id, at, asked)
			r.Criteria = r.Criteria[:1]
			h.note(at, r)
			return base
		}, []string{"the evidence does not include criterion 2"}, false},
		{"evidence of other work with a box", func(id, path string) string {
			at := complete(id)
			h.note(at, h.proof(id, base, asked))
			return base
		}, []string{"is about other work"}, false},
		{"evidence of other work that ran", func(id, path string) string {
			const body = "# A\n\n## Acceptance Criteria\n\n- [x] a result `$ true`\n"
			at := h.commit(says(id, "complete"), map[string]string{path: file("status: completed\n", body)})
			h.note(at, h.proof(id, base, body))
			return base
		}, nil, false},
		{"evidence of the same work after a squash", func(id, path string) string {
			at := complete(id)
			h.note(at, h.proof(id, at, asked))
			h.at("squash", base)
			h.commit("all in one", map[string]string{path: done, id + ".txt": "work\n", ".chant/specs/other.md": "# Other\n"})
			return base
		}, nil, false},
		{"completed before", func(id, path string) string {
			at := complete(id)
			h.commit("edit", map[string]string{path: done + "\nMore.\n"})
			return at
		}, nil, false},
		{"a criterion was dropped", func(id, path string) string {
			from := h.commit("add", map[string]string{path: file("status: pending\n", asked+"- [ ] a third\n")})
			at := complete(id)
			h.note(at, h.proof(id, at, asked))
			return from
		}, []string{"criterion 3 was removed or reworded"}, false},
		{"a criterion was dropped, and that was accepted", func(id, path string) string {
			from := h.commit("add", map[string]string{path: file("status: pending\n", asked+"- [ ] a third\n")})
			at := complete(id)
			r := h.proof(id, at, asked)
			r.Accepted = true
			h.note(at, r)
			return from
		}, nil, false},
		{"the run changed the settings", func(id, path string) string {
			h.commit(says(id, "start"), map[string]string{path: file("status: in_progress\n", asked)})
			h.commit("work", map[string]string{".chant/prompts/mine.md": "---\nname: mine\n---\nDo.\n"})
			at := complete(id)
			h.note(at, h.proof(id, at, asked))
			return base
		}, []string{".chant/prompts/mine.md was changed by its run"}, false},
		{"nothing to verify", func(id, path string) string {
			h.commit(says(id, "complete"), map[string]string{path: file("status: completed\n", "# A\n")})
			return base
		}, nil, false},
		{"a driver with members", func(id, path string) string {
			h.commit("all", map[string]string{path: file("type: driver\nstatus: completed\n", "# A\n"), ".chant/specs/" + id + ".1.md": done})
			return base
		}, nil, false},
		{"rejected", func(id, path string) string {
			h.commit("all", map[string]string{path: file("status: completed\napproval:\n  required: true\n  status: rejected\n", "# A\n")})
			return base
		}, []string{"it was rejected"}, false},
		{"its work waits for approval", func(id, path string) string {
			h.commit("all", map[string]string{path: file("status: completed\napproval:\n  required: true\n  status: pending\n  work: 0123456\n", "# A\n")})
			return base
		}, []string{"its work waits for approval"}, false},
		{"its plan was never approved", func(id, path string) string {
			h.commit("all", map[string]string{path: file("status: completed\napproval:\n  required: true\n  status: pending\n", "# A\n")})
			return base
		}, nil, false},
	} {
		id := idOf(n + 1)
		h.at("case", base)
		got, err := findForgery(t.Context(), &evidences{p: h.p}, h.brought(id, c.make(id, ".chant/specs/"+id+".md")), weakenedWork{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		assert.True(t, slices.EqualFunc(got.why, c.want, strings.Contains), "%s: %q, %v, want %q, %v", c.name, got.why, got.noEvidence, c.want, c.none)
		assert.Equal(t, c.none, got.noEvidence, "%s", c.name)
	}

	// What was completed before keeps what its evidence says of its criteria.
	id := idOf(90)
	h.at("before", base)
	at := complete(id)
	h.note(at, h.proof(id, at, asked))
	h.commit("edit", map[string]string{".chant/specs/" + id + ".md": done + "\nMore.\n"})
	got, err := findForgery(t.Context(), &evidences{p: h.p}, h.brought(id, at), weakenedWork{})
	assert.NoError(t, err)
	assert.Equal(t, at, got.recorded.Commit)
	assert.Equal(t, 0, len(got.why))
}

func TestDoubtsAbout(t *testing.T) {
	t.Parallel()
	s := specOf(t, idOf(1), "status: completed\n", asked)
	all := spec.Criteria(s.Doc)
	both := []criteria.Verdict{{ID: all[0].ID}, {ID: all[1].ID}}
	for name, c := range map[string]struct {
		r    *RecordedEvidence
		want []string
	}{
		"none":                  {nil, []string{"no evidence was recorded for its completion: no git note in refs/notes/chant is about it"}},
		"passed":                {&RecordedEvidence{Commit: "0123456789", Status: criteria.Passed, verified: true, Criteria: both}, nil},
		"nothing to verify":     {&RecordedEvidence{Commit: "0123456789", Status: criteria.Nothing, Criteria: both}, nil},
		"passed, not verified":  {&RecordedEvidence{Commit: "0123456789", Status: criteria.Passed, Criteria: both}, []string{"the evidence of commit 0123456 records that verification did not pass"}},
		"a box was open":        {&RecordedEvidence{Commit: "0123456789", Status: criteria.Partial, verified: true, Criteria: both}, []string{"the evidence of commit 0123456 records that verification did not pass"}},
		"edited":                {&RecordedEvidence{Commit: "0123456789", Status: criteria.Passed, verified: true, Edited: true, Criteria: both}, []string{"the evidence of commit 0123456 was edited by hand: its seal does not match"}},
		"lacks a criterion":     {&RecordedEvidence{Commit: "0123456789", Status: criteria.Passed, verified: true, Criteria: both[:1]}, []string{"the evidence does not include criterion 2: " + all[1].Text}},
		"edited and it says no": {&RecordedEvidence{Commit: "0123456789", Status: criteria.Failed, Edited: true, Criteria: both}, []string{"the evidence of commit 0123456 was edited by hand: its seal does not match", "the evidence of commit 0123456 records that verification did not pass"}},
		"lacks all criteria":    {&RecordedEvidence{Commit: "0123456789", Status: criteria.Passed, verified: true}, []string{"the evidence does not include criterion 1: " + all[0].Text, "the evidence does not include criterion 2: " + all[1].Text}},
	} {
		got := c.r.findingsAbout(s)
		assert.Equal(t, c.want, got.why, "%s", name)
		assert.Equal(t, c.r == nil, got.noEvidence, "%s", name)
	}
}

// Events are read from trailers only, and the newest commit counts.
func TestChanges_event(t *testing.T) {
	t.Parallel()
	said := func(hash, id, event string) gitops.Commit {
		message := fmt.Sprintf("chant(other): complete\n\n%s: %s\n%s: %s\n", message.SpecTrailer, id, message.EventTrailer, event)
		return gitops.Commit{Hash: hash, Subject: "chant(other): complete", Message: message, Trailers: gitops.Trailers(message)}
	}
	c := &changes{commits: []gitops.Commit{said("4", "a", "complete"), said("3", "b", "complete"), {Hash: "2", Subject: "chant(a): start"}, said("1", "a", "complete")}}
	for event, want := range map[[2]string]string{
		{"a", "complete"}: "4", {"b", "complete"}: "3", {"a", "start"}: "", {"c", "complete"}: "", {"other", "complete"}: "",
	} {
		got := c.findEvent(event[0], event[1])
		assert.Equal(t, want == "", got == nil, "%v", event)
		assert.False(t, got != nil && got.Hash != want, "%v: %v, want %q", event, got, want)
	}
	assert.Equal(t, []string{"3", "4"}, commitHashes(nil, &c.commits[1], nil, &c.commits[0]))
}

func TestOnlyRuns(t *testing.T) {
	t.Parallel()
	shown := []criteria.Evidence{{Command: "true"}}
	for name, c := range map[string]struct {
		all  []criteria.Verdict
		want bool
	}{
		"nothing":         {nil, true},
		"commands":        {[]criteria.Verdict{{How: ran, Evidence: shown}, {How: ran, Evidence: shown}}, true},
		"a box among":     {[]criteria.Verdict{{How: ran, Evidence: shown}, {How: box}}, false},
		"ran by its word": {[]criteria.Verdict{{How: ran}}, false},
	} {
		assert.Equal(t, c.want, (&RecordedEvidence{Criteria: c.all}).hasOnlyCommands(), "%s", name)
	}
}

// TestSameWork: files below .chant are not part of the work.
func TestSameWork(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	base := h.rev("HEAD^{tree}")
	h.commit("status", map[string]string{".chant/specs/" + idOf(1) + ".md": "# A\n", ".chant/prompts/x.md": "x\n"})
	noted := h.rev("HEAD^{tree}")
	h.commit("work", map[string]string{"a.txt": "x\n"})
	worked := h.rev("HEAD^{tree}")
	h.commit("beside", map[string]string{".chantx/a.txt": "x\n"})
	beside := h.rev("HEAD^{tree}")
	for name, c := range map[string]struct {
		a, b string
		want bool
	}{
		"one tree":         {base, base, true},
		"below .chant":     {base, noted, true},
		"a file":           {noted, worked, false},
		"both":             {base, worked, false},
		"beside .chant":    {worked, beside, false},
		"a tree elsewhere": {strings.Repeat("1", 40), base, false},
	} {
		got, err := isSameWork(t.Context(), h.p, c.a, c.b)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
	}
}

// TestWeakenedSince: a range that weakens the checks of a spec completed before it is reported.
func TestWeakenedSince(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	base := h.rev("HEAD")
	const three = asked + "- [x] a third\n"
	for n, c := range []struct {
		name, was, now string
		want           string
	}{
		{"the same", file("status: completed\n", asked), file("status: completed\n", asked+"\nMore.\n"), ""},
		{"more", file("status: completed\n", asked), file("status: completed\n", three), ""},
		{"less", file("status: completed\n", three), file("status: completed\n", asked), "criterion 3 was removed or reworded: a third"},
		{"less, but it was not completed", file("status: pending\n", three), file("status: completed\n", asked), ""},
		{"new", "", file("status: completed\n", asked), ""},
		{"another command", file("status: completed\nverify:\n  commands: [\"false\"]\n", asked), file("status: completed\nverify:\n  commands: [\"true\"]\n", asked), "the commands under verify in the spec were changed"},
	} {
		id := idOf(n + 1)
		h.at("case", base)
		from := base
		if c.was != "" {
			from = h.commit("was", map[string]string{".chant/specs/" + id + ".md": c.was})
		}
		h.commit("now", map[string]string{".chant/specs/" + id + ".md": c.now})
		got, err := weakenedChecks(t.Context(), h.p, h.brought(id, from))
		assert.NoError(t, err, "%s", c.name)
		assert.Equal(t, c.want, strings.Join(got, "; "), "%s", c.name)
	}
}
