package task

import (
	"maps"
	"slices"
	"strings"
)

// BranchDefaults returns what the name of a branch says about a task that is created on it: type, status and priority
// by the aliases of the settings, and the type also by the usual first words (feat, fix, chore and others). What it
// does not say, and what the settings turn off, is empty.
func BranchDefaults(branch string, st *Settings) (typ, status, priority string) {
	words := branchWords(branch)
	if st.Auto.BranchInferType {
		if typ = findByAlias(words, st.BranchTypes, st.Types); typ == "" && len(words) > 0 {
			typ = usualType(words, st.Types)
		}
	}
	if st.Auto.BranchInferStatus {
		if word := findByAlias(words, st.BranchStatuses, nil); word != "" {
			if _, canonical, ok := st.StatusOf(word); ok {
				status = canonical
			}
		}
	}
	if st.Auto.BranchInferPriority {
		priority = findByAlias(words, st.BranchPriorities, st.Priorities)
	}
	return typ, status, priority
}

// branchWords returns the parts of a branch between slashes, and then the words of all parts.
func branchWords(branch string) []string {
	parts := strings.FieldsFunc(strings.ToLower(branch), func(r rune) bool { return r == '/' })
	all := append([]string{}, parts...)
	for _, part := range parts {
		all = append(all, strings.FieldsFunc(part, func(r rune) bool { return r == '-' || r == '_' || r == '.' })...)
	}
	return all
}

// findByAlias returns the value of the first word that is an alias, in the spelling of the allowed values.
func findByAlias(words []string, aliases map[string]string, allowed []string) string {
	for _, word := range words {
		// The order makes the result the same if two aliases differ only in case.
		for _, alias := range slices.Sorted(maps.Keys(aliases)) {
			if !strings.EqualFold(strings.Trim(alias, " /"), word) {
				continue
			}
			if canonical, ok := MatchEnum(aliases[alias], allowed); ok {
				return canonical
			}
		}
	}
	return ""
}

// usualType returns the type that the first word of a branch usually means, if it is allowed. A word that is itself a
// type means that type.
func usualType(words []string, allowed []string) string {
	usual := map[string]string{
		"feat": "Feature", "feature": "Feature", "features": "Feature",
		"fix": "Bug", "bugfix": "Bug", "hotfix": "Bug", "bug": "Bug",
		"chore": "Chore", "docs": "Chore", "refactor": "Chore", "test": "Chore", "ci": "Chore", "build": "Chore", "perf": "Chore",
	}
	first := words[0]
	// The usual word may be joined to the description, as in fix-login.
	if i := strings.IndexAny(first, "-_."); i > 0 {
		first = first[:i]
	}
	for _, candidate := range []string{first, usual[first]} {
		if canonical, ok := matchWord(candidate, allowed); ok {
			return canonical
		}
	}
	return ""
}
