package openspec

// checkDelta finds what makes a delta contradictory, before any spec is looked at.
func (m *merging) checkDelta() {
	const failed = "%s validation failed - "
	const header = " for header \"### Requirement: %s\""
	for _, u := range m.unpaired {
		m.fail(u.line, failed+"RENAMED entry on line %d has no matching %s:"+header+". Write each rename as a FROM: line followed immediately by its TO: line.", m.capability, u.line, u.missing(), u.name)
	}
	for _, o := range m.orphans {
		m.warn("%s - requirement \"%s\" (line %d) is %s, which is not a delta section, so it was not applied. Move it under ADDED/MODIFIED/REMOVED/RENAMED Requirements.", m.capability, o.name, o.line, o.where())
	}
	m.checkTwice()
	_, modified := m.names()
	added, _ := m.names()
	for _, r := range m.Renamed {
		before, after := r.keys()
		if name, ok := m.removes(r.From); ok {
			spelled := ""
			if name != before {
				spelled = " (REMOVED spells it \"" + name + "\")"
			}
			m.fail(r.Line, failed+"requirement present in multiple sections (RENAMED and REMOVED)"+header+"%s", m.capability, r.From, spelled)
		}
		if modified[before] {
			m.fail(r.Line, failed+"when a rename exists, MODIFIED must reference the NEW header \"### Requirement: %s\"", m.capability, r.To)
		}
		if added[after] {
			m.fail(r.Line, failed+"RENAMED TO header collides with ADDED for \"### Requirement: %s\"", m.capability, r.To)
		}
	}
	for _, c := range m.clashes() {
		m.fail(m.lineOf(c.name), failed+"requirement present in multiple sections (%s and %s)"+header, m.capability, c.a, c.b, c.name)
	}
	if m.empty() && len(m.problems) == 0 {
		m.fail(0, "Delta parsing found no operations for %s. Provide ADDED/MODIFIED/REMOVED/RENAMED sections in change spec.", m.capability)
	}
}

// checkTwice finds names that a section has twice.
func (m *merging) checkTwice() {
	const failed = "%s validation failed - duplicate %s for header \"### Requirement: %s\""
	twice := func(what string) func(key, name string, line int) {
		seen := map[string]bool{}
		return func(key, name string, line int) {
			if seen[key] {
				m.fail(line, failed, m.capability, what, name)
			}
			seen[key] = true
		}
	}
	for _, section := range []struct {
		kind   string
		blocks []*block
	}{{"ADDED", m.added}, {"MODIFIED", m.modified}} {
		check := twice("requirement in " + section.kind)
		for _, b := range section.blocks {
			check(b.key, b.name, b.line+1)
		}
	}
	removed, from, to := twice("requirement in REMOVED"), twice("FROM in RENAMED"), twice("TO in RENAMED")
	for _, r := range m.Removed {
		removed(r.key(), r.Name, r.Line)
	}
	for _, r := range m.Renamed {
		before, after := r.keys()
		from(before, r.From, r.Line)
		to(after, r.To, r.Line)
	}
}
