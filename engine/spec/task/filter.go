package task

import (
	"slices"
	"strings"

	"chant/engine/spec"
)

// Filter selects tasks. Of the values of one filter any may match, and every filter must. An empty filter matches all.
type Filter struct {
	Project      string // a prefix
	Statuses     []string
	Priorities   []string
	Types        []string
	Tags         []string // contained in a tag, in any spelling
	Assignee     string
	NoAssignee   bool                // nothing matches: the person who calls is unknown
	Search       string              // part of id, title, subtitle, description or a tag
	CustomFields map[string][]string // names and values
	Sprints      []int
}

// Check returns the filter with the spellings of the settings. Errors: *EnumError for a status, priority or type that the
// settings do not have.
func (f Filter) Check(st *Settings) (Filter, error) {
	for i, word := range f.Statuses {
		_, canonical, ok := st.StatusOf(word)
		if !ok {
			return f, &EnumError{Field: "status", Provided: word, Allowed: st.Statuses}
		}
		f.Statuses[i] = canonical
	}
	for _, list := range []struct {
		name   string
		values []string
		known  []string
	}{{"priority", f.Priorities, st.Priorities}, {"type", f.Types, st.TypesToChoose()}} {
		for i, word := range list.values {
			canonical, ok := MatchEnum(word, list.known)
			if !ok {
				return f, &EnumError{Field: list.name, Provided: word, Allowed: list.known}
			}
			list.values[i] = canonical
		}
	}
	return f, nil
}

// TypesToChoose lists the types that a task may have: those of the settings, and without a workspace chant's own too.
func (s *Settings) TypesToChoose() []string {
	if s.Workspace || len(s.Types) == 0 {
		return s.Types
	}
	out := slices.Clone(s.Types)
	for _, own := range spec.Types() {
		if !slices.Contains(out, string(own)) {
			out = append(out, string(own))
		}
	}
	return out
}

// Matches reports whether a spec is selected. text returns its description; it is called only if nothing else of the spec
// contains what is searched for.
func (f Filter) Matches(s *spec.Spec, st *Settings, text func() string) bool {
	switch {
	case f.NoAssignee:
		return false
	case f.Project != "" && !strings.EqualFold(f.Project, st.ProjectOf(s)):
		return false
	case len(f.Statuses) > 0 && !slices.Contains(f.Statuses, st.WordOf(s.Status, string(s.Fields.TaskStatus))):
		return false
	case len(f.Priorities) > 0 && !slices.Contains(f.Priorities, st.PriorityOf(string(s.Fields.Priority))):
		return false
	case len(f.Types) > 0 && !slices.Contains(f.Types, st.TypeOf(s)):
		return false
	case f.Assignee != "" && !SameMember(f.Assignee, string(s.Fields.Assignee)):
		return false
	case len(f.Tags) > 0 && !f.hasTag(s.Fields.Labels):
		return false
	case len(f.Sprints) > 0 && !slices.ContainsFunc(f.Sprints, func(n int) bool { return slices.Contains(s.Fields.Sprints, n) }):
		return false
	case !f.hasCustomFields(s):
		return false
	}
	return f.Search == "" || f.matchesSearch(s, text)
}

func (f Filter) hasTag(tags []string) bool {
	return slices.ContainsFunc(f.Tags, func(want string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return strings.Contains(fold(tag), fold(want)) })
	})
}

func (f Filter) hasCustomFields(s *spec.Spec) bool {
	for name, wanted := range f.CustomFields {
		found := false
		for have, values := range s.Fields.CustomFields {
			if fold(have) != fold(name) {
				continue
			}
			for _, value := range values.Values {
				found = found || slices.ContainsFunc(wanted, func(want string) bool { return fold(want) == fold(value) })
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func (f Filter) matchesSearch(s *spec.Spec, text func() string) bool {
	want := strings.ToLower(f.Search)
	has := func(in string) bool { return strings.Contains(strings.ToLower(in), want) }
	// The text is read last, because it may not be loaded yet.
	return has(KeyOf(s)) || has(s.ID) || has(s.Title) || has(string(s.Fields.Subtitle)) || slices.ContainsFunc(s.Fields.Labels, has) || has(text())
}
