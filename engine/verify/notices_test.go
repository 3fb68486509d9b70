package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/engine/store/message"

	"github.com/alecthomas/assert/v2"
)

// TestNoticesIn finds what runs and commits outside of runs change, and what people have let pass, from commits alone.
func TestNoticesIn(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	base := h.commit("settings", map[string]string{
		".chant/config.md": "---\nproject: {name: x}\nverify: {protect: [Makefile]}\n---\n", "Makefile": "all:\n",
		".chant/specs/2026-01-02-900-oth.md": file("status: pending\n", asked),
	})
	done := file("status: completed\n", asked)
	waits := "approval:\n  required: true\n  status: pending\n"
	start := func(id, front string) {
		h.commit(says(id, "start"), map[string]string{".chant/specs/" + id + ".md": file("status: in_progress\n"+front, asked)})
	}
	complete := func(id, front string, more ...message.Trailer) {
		text := message.Commit{ID: id, Event: string(spec.Complete), More: more}.String()
		h.commit(text, map[string]string{".chant/specs/" + id + ".md": file("status: completed\n"+front, asked)})
	}
	merge := func(branch, subject string) {
		h.git("merge", "-q", "--no-ff", "-m", subject, branch)
	}
	for n, c := range []struct {
		name string
		make func(id string)
		want []string
	}{
		{"a run that is not completed", func(id string) {
			start(id, "")
			h.commit("work", map[string]string{"a.txt": "a", "b.txt": "b"})
		}, nil},
		{"an ordinary run", func(id string) {
			start(id, "")
			h.commit("work", map[string]string{"a.txt": "a"})
			complete(id, "")
		}, nil},
		{"a run changes a protected file and a prompt", func(id string) {
			start(id, "")
			h.commit("work", map[string]string{"Makefile": "none:\n", ".chant/prompts/a.md": "---\nname: a\n---\nDo.\n"})
			complete(id, "")
		}, []string{"prompt run .chant/prompts/a.md was added", "protected run Makefile is protected and was changed"}},
		{"a run weakens another spec and completes one", func(id string) {
			start(id, "")
			h.commit("work", map[string]string{".chant/specs/2026-01-02-900-oth.md": file("status: completed\n", "# A\n")})
			complete(id, "")
		}, []string{"completed run .chant/specs/2026-01-02-900-oth.md was set to completed", "weakened run .chant/specs/2026-01-02-900-oth.md requires less"}},
		{"accepted and waived", func(id string) {
			start(id, waits)
			complete(id, waits, message.Trailer{Key: message.AcceptedTrailer, Value: "Makefile\nwas changed"}, message.Trailer{Key: message.WaivedTrailer, Value: "the spec waits for approval"})
		}, []string{"accepted run Makefile was changed", "waived run the spec waits for approval"}},
		{"waived, and nothing says so", func(id string) {
			start(id, waits)
			complete(id, waits)
		}, []string{"waived run the spec waits for approval"}},
		{"what the target brought is not the run's", func(id string) {
			start(id, "")
			h.at("trunk", base)
			h.commit("by a person", map[string]string{"Makefile": "some:\n"})
			h.at("case", "case")
			merge("trunk", "merge")
			h.commit("work", map[string]string{"a.txt": "a"})
			complete(id, "")
			h.at("landed", "trunk")
			merge("case", says(id, "land"))
		}, []string{"protected beside Makefile is protected and was changed, in commit"}},
		{"what a run merged from nowhere is its own", func(id string) {
			start(id, "")
			h.at("aside", base)
			h.commit("by the agent", map[string]string{"Makefile": "evil:\n"})
			h.at("case", "case")
			merge("aside", "merge")
			complete(id, "")
			h.at("landed", base)
			merge("case", says(id, "land"))
		}, []string{"protected run Makefile is protected and was changed"}},
		{"commits beside runs", func(id string) {
			h.commit("direct", map[string]string{".chant/config.md": "---\nproject: {name: y}\n---\n", ".chant/specs/2026-01-02-900-oth.md": file("status: pending\n", "# A\n")})
			h.commit("squashed", map[string]string{".chant/specs/" + id + ".md": done, ".chant/providers/x.md": "x"})
		}, []string{"provider beside .chant/providers/x.md was added, in commit", "settings beside .chant/config.md was changed, in commit", "weakened beside .chant/specs/2026-01-02-900-oth.md requires less"}},
		{"a landing that adds something of its own", func(id string) {
			start(id, "")
			h.commit("work", map[string]string{"a.txt": "a"})
			complete(id, "")
			h.at("landed", base)
			h.git("merge", "-q", "--no-ff", "--no-commit", "case")
			h.commit(says(id, "land"), map[string]string{"Makefile": "evil:\n"})
		}, []string{"protected beside Makefile is protected and was changed, in commit"}},
	} {
		id := idOf(n + 1)
		h.at("case", base)
		c.make(id)
		subjects, _, err := changedSubjects(t.Context(), h.p, base+"..HEAD")
		assert.NoError(t, err)
		found, err := noticesIn(t.Context(), h.p, VerifyAllInput{Changed: base + "..HEAD"}, subjects)
		assert.NoError(t, err, "%s", c.name)
		all, err := noticesIn(t.Context(), h.p, VerifyAllInput{Changed: base + "..HEAD", Beside: true}, subjects)
		assert.NoError(t, err, "%s", c.name)
		unverified := ""
		for _, n := range all {
			if n.Kind == NoticeUnverified {
				_, text, _ := strings.Cut(n.Text, "(")
				unverified += text
			}
		}
		want := unverifiedIn()[c.name]
		assert.Equal(t, want, unverified, "%s: commits that nothing has verified", c.name)
		assert.False(t, len(found) != len(all) && want == "", "%s: commits that nothing has verified: %q, want %q", c.name, unverified, want)
		var got []string
		for _, n := range found {
			where := "beside"
			if n.SpecID == id {
				where = "run"
			}
			got = append(got, fmt.Sprintf("%s %s %s", n.Kind, where, n.Text))
		}
		slices.Sort(got)
		assert.True(t, slices.EqualFunc(got, c.want, strings.HasPrefix), "%s: %q, want %q", c.name, got, c.want)
	}
}

// unverifiedIn has, by the names of those cases, what is said of commits that nothing has verified.
func unverifiedIn() map[string]string {
	return map[string]string{
		"a run that is not completed":              "work) by Ada <ada@example.com> changes a.txt and 1 more",
		"what the target brought is not the run's": "by a person) by Ada <ada@example.com> changes Makefile",
		"a landing that adds something of its own": "chant(2026-01-02-010-abc): land) by Ada <ada@example.com> changes Makefile",
	}
}

// TestDecisionsOf finds decisions in the whole history.
func TestDecisionsOf(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	id := idOf(1)
	text := message.Commit{ID: id, Event: string(spec.Complete), More: []message.Trailer{{Key: message.WaivedTrailer, Value: "it waits"}}}.String()
	at := h.commit(text, map[string]string{".chant/specs/" + id + ".md": file("status: completed\n", asked)})
	h.commit("later, which says Chant-Waived: in passing", nil)
	s, err := h.p.Store.ReadAt(t.Context(), at, id)
	assert.NoError(t, err)
	found, err := decisionsOf(t.Context(), h.p, []subject{{s: s, commit: h.rev("HEAD")}})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(found))
	assert.Equal(t, Notice{Kind: NoticeWaived, SpecID: id, Commit: at, Text: "it waits"}, found[0])
}
