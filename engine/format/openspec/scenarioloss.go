package openspec

import (
	"fmt"
	"strings"
)

// lostScenarios reports requirements that a delta modifies without scenarios that the spec
// has: a modified requirement replaces the old one as a whole.
func (d *delta) lostScenarios(current string) []Finding {
	blocks := map[string]*block{}
	for _, b := range partsOf(current).blocks {
		blocks[b.key] = b
	}
	old, renamed := map[string]string{}, map[string]bool{}
	for _, r := range d.Renamed {
		from, to := r.keys()
		old[to], renamed[from] = from, true
	}
	var found []Finding
	for _, b := range d.modified {
		if renamed[b.key] {
			// The use of the old name is reported as such.
			continue
		}
		// Renames are applied first, one after the other.
		before, name, ok := blocks[b.key], b.key, true
		for range d.Renamed {
			if before != nil || !ok {
				break
			}
			if name, ok = old[name]; ok {
				before = blocks[name]
			}
		}
		if before == nil {
			continue
		}
		if c := compareScenarios(before, b); len(c.missing) > 0 {
			found = append(found, d.errorAt(b.line+1, msgLosesScenarios, b.name, quoteNames(c.missing), c.balance()))
		}
	}
	return found
}

// comparison has the differences between the scenarios of a requirement and those that replace them.
type comparison struct {
	missing, added []string
	before, after  int
}

// compareScenarios compares names. One that is there twice is needed twice.
func compareScenarios(before, after *block) comparison {
	a, b := scenarioNames(before), scenarioNames(after)
	return comparison{missing: removeNames(a, b), added: removeNames(b, a), before: len(a), after: len(b)}
}

func scenarioNames(b *block) []string {
	var names []string
	for _, s := range scenariosOf(b.body, 0) {
		names = append(names, s.name)
	}
	return names
}

// removeNames removes each of the names once.
func removeNames(names, remove []string) []string {
	left := map[string]int{}
	for _, name := range remove {
		left[name]++
	}
	var kept []string
	for _, name := range names {
		if left[name] > 0 {
			left[name]--
			continue
		}
		kept = append(kept, name)
	}
	return kept
}

// balance describes how many scenarios each side has.
func (c comparison) balance() string {
	text := fmt.Sprintf("The modified block has %s; the current spec has %s. ", scenarioCount(c.after), scenarioCount(c.before))
	if len(c.added) == 0 {
		return text + "It adds none."
	}
	const shown = 3
	names := quoteNames(c.added[:min(shown, len(c.added))])
	if more := len(c.added) - shown; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return text + fmt.Sprintf("It adds %s not in the current spec: %s.", scenarioCount(len(c.added)), names)
}

func scenarioCount(n int) string {
	if n == 1 {
		return "1 scenario"
	}
	return fmt.Sprintf("%d scenarios", n)
}

func quoteNames(names []string) string {
	return `"` + strings.Join(names, `", "`) + `"`
}
