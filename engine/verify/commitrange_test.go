package verify

import (
	"errors"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestReadRange reads every form of a range; it starts at the merge base.
func TestReadRange(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	first := h.rev("HEAD")
	h.at("side", first)
	side := h.commit("side", map[string]string{"side.txt": "x\n"})
	h.at("main", first)
	second := h.commit("second", map[string]string{"a.txt": "x\n"})
	third := h.commit("third", map[string]string{"b.txt": "x\n"})
	for text, want := range map[string]struct {
		from, to string
		commits  []string // newest first
	}{
		first + ".." + third:  {first, third, []string{third, second}},
		first + "..." + third: {first, third, []string{third, second}},
		second:                {second, third, []string{third}},
		second + "..":         {second, third, []string{third}},
		"..side":              {first, side, []string{side}},
		"side..main":          {first, third, []string{third, second}},
		"side...main":         {first, third, []string{third, second}},
		"HEAD..HEAD":          {third, third, nil},
		"HEAD~1..HEAD":        {second, third, []string{third}},
	} {
		c, err := readRange(t.Context(), h.p, text)
		if err != nil || c.from != want.from || c.to != want.to {
			t.Errorf("%q: %+v, %v", text, c, err)
			continue
		}
		var got []string
		for _, commit := range c.commits {
			got = append(got, commit.Hash)
		}
		assert.Equal(t, want.commits, got, "%q", text)
	}
}

func TestReadRange_missing(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	other := h.rev("HEAD")
	enginetest.Git(t, h.dir, "checkout", "-q", "--orphan", "orphans")
	h.commit("alone", nil)
	for text, words := range map[string]string{
		"nowhere..HEAD":     `there is no commit "nowhere" here`,
		"HEAD..nowhere":     `there is no commit "nowhere" here`,
		"nowhere":           `there is no commit "nowhere" here`,
		other + "..orphans": "have no history in common here",
	} {
		_, err := readRange(t.Context(), h.p, text)
		known, ok := errors.AsType[*engine.Error](err)
		assert.True(t, ok, "%q: %v", text, err)
		assert.Equal(t, engine.NotFound, known.Code, "%q: %v", text, err)
		assert.Contains(t, known.Message, words, "%q: %v", text, err)
		assert.NotContains(t, known.Message, "cut off", "%q: %v", text, err)
	}
}

// TestChangedSubjects: the completed specs that a range adds, completes or archives, and those that it removes.
func TestChangedSubjects(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	path := func(n int) string { return ".chant/specs/" + idOf(n) + ".md" }
	archived := func(n int) string { return ".chant/archive/2026-01-02/" + idOf(n) + ".md" }
	done, open := file("status: completed\n", asked), file("status: pending\n", asked)
	base := h.commit("before", map[string]string{path(1): done, path(2): done, path(3): open, path(4): done, path(5): done, path(6): open, path(8): done})
	for name, c := range map[string]struct {
		files map[string]string
		want  []int
		lost  []int
	}{
		"nothing":                            {map[string]string{"a.txt": "x\n"}, nil, nil},
		"completed in it":                    {map[string]string{path(3): done}, []int{3}, nil},
		"a completed one is edited":          {map[string]string{path(1): done + "More.\n"}, []int{1}, nil},
		"an open one is edited":              {map[string]string{path(3): open + "More.\n"}, nil, nil},
		"new and completed":                  {map[string]string{path(7): done}, []int{7}, nil},
		"a completed one is reopened":        {map[string]string{path(1): open}, nil, nil},
		"completed and archived at once":     {map[string]string{path(3): "", archived(3): done}, []int{3}, nil},
		"archived as it was":                 {map[string]string{path(2): "", archived(2): done}, nil, nil},
		"archived while it was open":         {map[string]string{path(3): "", archived(3): open}, nil, nil},
		"a completed one is removed":         {map[string]string{path(4): ""}, nil, []int{4}},
		"an open one is removed":             {map[string]string{path(6): ""}, nil, nil},
		"no spec is, beside the specs":       {map[string]string{".chant/specs/sub/" + idOf(9) + ".md": done}, nil, nil},
		"two removed, one of them completed": {map[string]string{path(5): "", path(6): "", path(8): done + "x\n"}, []int{8}, []int{5}},
	} {
		h.at("case", base)
		h.commit(name, c.files)
		all, lost, err := changedSubjects(t.Context(), h.p, base+"..HEAD")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := []string{}
		for _, sub := range all {
			got = append(got, sub.s.ID)
			assert.Equal(t, spec.Completed, sub.s.Status, "%s", name)
			assert.Equal(t, h.rev("HEAD"), sub.commit, "%s", name)
			assert.True(t, sub.changes != nil, "%s: %+v", name, sub)
		}
		want := []string{}
		for _, n := range c.want {
			want = append(want, idOf(n))
		}
		assert.Equal(t, want, got, "%s", name)
		assert.Equal(t, len(c.lost), len(lost), "%s: lost %v", name, c.lost)
		assert.False(t, len(lost) == 1 && !strings.Contains(lost[0], idOf(c.lost[0])), "%s: lost %q, want %v", name, lost, c.lost)
	}
}
