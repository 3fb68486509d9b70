package openspec

import (
	"fmt"
	"slices"
	"strings"
)

// Counts are the requirements that a merge changed; one that already matched the delta is not counted.
type Counts struct {
	Added, Modified, Removed, Renamed int
}

func (c Counts) total() int { return c.Added + c.Modified + c.Removed + c.Renamed }

// mergedSpec is a spec with a delta applied.
type mergedSpec struct {
	text     string
	counts   Counts
	warnings []string
	bare     bool // no requirement is left
	loose    bool // the old spec has lines that belong to nothing that a spec consists of
}

// specMerge is a merge in progress.
type specMerge struct {
	*delta
	mergedSpec
	problems []string
	// order are the names of the spec's requirements in their places; a rename changes
	// them. The roster knows what is there now.
	order []string
	requirementList
	// failed are the names that a failed rename would have made: what follows is not
	// reported again.
	failed map[string]bool
}

// merge applies a delta without errors to the text of a spec, which may not exist. It goes through renames, removals,
// modifications and additions, in this order, and returns all problems; the first one is what the tool stops with.
func merge(d *delta, change, text string, exists bool) (mergedSpec, []string) {
	m := &specMerge{delta: d, failed: map[string]bool{}, requirementList: requirementList{blocks: map[string]*block{}, folded: map[string]string{}}}
	for _, o := range m.orphans {
		m.warn("%s - requirement \"%s\" (line %d) is %s, which is not a delta section, so it was not applied. Move it under ADDED/MODIFIED/REMOVED/RENAMED Requirements.", m.capability, o.name, o.line, o.place())
	}
	if !m.checkTarget(text, exists) {
		return mergedSpec{}, m.problems
	}
	if !exists {
		text = m.skeleton(change)
	}
	// A requirement that the merge would not see would be lost.
	if issues := checkStructure(text); len(issues) > 0 {
		var lines []string
		for _, i := range issues {
			lines = append(lines, fmt.Sprintf("line %d: %s", i.line, i.text))
		}
		m.fail("%s: target spec is structurally invalid and cannot be updated until fixed:\n%s", d.capability, strings.Join(lines, "\n"))
		return mergedSpec{}, m.problems
	}
	p := partsOf(text)
	for _, b := range p.blocks {
		m.order = append(m.order, b.key)
		m.setBlock(b.key, b)
	}
	// The order is that of the tool: later steps refer to new names.
	m.rename()
	m.remove(exists)
	m.modify()
	m.add()
	if len(m.problems) > 0 {
		return mergedSpec{}, m.problems
	}
	m.rebuild(p)
	m.loose = isLoose(p)
	return m.mergedSpec, nil
}

func (m *specMerge) fail(format string, args ...any) {
	m.problems = append(m.problems, fmt.Sprintf(format, args...))
}

func (m *specMerge) warn(format string, args ...any) {
	m.warnings = append(m.warnings, fmt.Sprintf(format, args...))
}

// checkTarget finds what cannot be done to a spec that does not exist, and warns of what has
// no effect.
func (m *specMerge) checkTarget(text string, exists bool) bool {
	if exists {
		if old := purposeOf(text); m.Purpose != "" && old != "" && old != m.Purpose {
			m.warn("%[1]s - delta Purpose ignored; %[1]s already has one. Edit openspec/specs/%[2]s directly to change it.", m.capability, m.path)
		}
		return true
	}
	if len(m.modified)+len(m.Renamed) > 0 {
		m.fail("%s: target spec does not exist; only ADDED requirements are allowed for new specs. MODIFIED and RENAMED operations require an existing spec.", m.capability)
		return false
	}
	if len(m.Removed) > 0 {
		m.warn("%s - %d REMOVED requirement(s) ignored for new spec (nothing to remove).", m.capability, len(m.Removed))
	}
	return true
}

// skeleton is a new spec without requirements. It takes over the purpose of the delta unless
// that would hide or break the rest of the spec.
func (m *specMerge) skeleton(change string) string {
	if m.Purpose != "" {
		text := skeletonOf(m.capability, m.Purpose)
		s := parseSpec(readPage(text))
		if !strings.Contains(text, "<!--") && len(checkStructure(text)) == 0 && s.purpose != "" && s.sectioned {
			if Length(s.purpose) < minPurpose {
				m.warn("%s - carried Purpose is under 50 characters; openspec validate --strict reports it as too brief.", m.capability)
			}
			return text
		}
		m.warn("%s - delta Purpose ignored (it would leave the new spec unreadable); wrote the placeholder Purpose instead.", m.capability)
	}
	return skeletonOf(m.capability, placeholderStart+change+placeholderEnd)
}

func skeletonOf(capability, purpose string) string {
	return "# " + capability + " Specification\n\n## Purpose\n" + Trim(purpose) + "\n\n## Requirements\n"
}

func (m *specMerge) rename() {
	for _, r := range m.Renamed {
		before := len(m.problems)
		m.renameOne(r)
		if len(m.problems) > before {
			_, to := r.keys()
			m.failed[to] = true
		}
	}
}

func (m *specMerge) renameOne(r Rename) {
	const failed = "%s RENAMED failed for header \"### Requirement: %s\" - "
	from, to := r.keys()
	b := m.blocks[from]
	if b == nil {
		// A rename that was made before leaves only the new name.
		if m.blocks[to] == nil {
			m.fail(failed+"source not found", m.capability, r.From)
		} else if near := m.findSimilar(from, to); near != nil {
			m.fail(failed+"source not found, but \"### Requirement: %s\" exists; fix the header to match it exactly", m.capability, r.From, near.name)
		}
		return
	}
	if m.blocks[to] != nil {
		m.fail(failed+"target already exists", m.capability, r.To)
		return
	}
	// Names that differ only in case or spacing are one name misspelled.
	if near := m.findSimilar(to, from); near != nil {
		m.fail(failed+"\"### Requirement: %s\" already exists and differs only in case or spacing; choose a distinct name", m.capability, r.To, near.name)
		return
	}
	heading := "### Requirement: " + to
	renamed := &block{name: to, key: to, line: b.line, body: b.body, raw: heading}
	if _, rest, ok := strings.Cut(b.raw, "\n"); ok {
		renamed.raw += "\n" + rest
	}
	m.deleteBlock(from)
	m.setBlock(to, renamed)
	if i := slices.Index(m.order, from); i >= 0 {
		m.order[i] = to
	}
	m.counts.Renamed++
}

func (m *specMerge) remove(exists bool) {
	for _, r := range m.Removed {
		if m.blocks[r.key()] != nil {
			m.deleteBlock(r.key())
			m.counts.Removed++
			continue
		}
		if !exists || m.failed[r.key()] {
			continue
		}
		if near := m.findSimilar(r.Name, ""); near != nil {
			m.fail("%s REMOVED failed for header \"### Requirement: %s\" - not found, but \"### Requirement: %s\" exists; fix the header to match it exactly", m.capability, r.Name, near.name)
			continue
		}
		m.warn("%s - REMOVED requirement \"%s\" is not in the current spec; treating it as already removed.", m.capability, r.Name)
	}
}

func (m *specMerge) modify() {
	for _, b := range m.modified {
		old := m.blocks[b.key]
		if old == nil {
			if !m.failed[b.key] {
				m.fail("%s MODIFIED failed for header \"### Requirement: %s\" - not found", m.capability, b.name)
			}
			continue
		}
		if b.name != b.key {
			m.fail("%s MODIFIED failed for header \"### Requirement: %s\" - header mismatch in content", m.capability, b.name)
			continue
		}
		// A requirement that is already as wanted does not count as changed, so that a merge can be repeated.
		if Trim(old.raw) != Trim(b.raw) {
			m.counts.Modified++
		}
		m.setBlock(b.key, b)
	}
}

func (m *specMerge) add() {
	const failed = "%s ADDED failed for header \"### Requirement: %s\" - "
	for _, b := range m.added {
		if old := m.blocks[b.key]; old != nil {
			if Trim(old.raw) != Trim(b.raw) {
				m.fail(failed+"already exists", m.capability, b.name)
			}
			continue
		}
		if near := m.findSimilar(b.name, ""); near != nil {
			m.fail(failed+"\"### Requirement: %s\" already exists and differs only in case or spacing; use MODIFIED with that exact header to change it, or choose a distinct name", m.capability, b.name, near.name)
			continue
		}
		m.setBlock(b.key, b)
		m.counts.Added++
	}
}

// rebuild joins the parts of the spec to its new text. Between them is one blank line.
func (m *specMerge) rebuild(p parts) {
	placed := map[string]bool{}
	var texts []string
	if Trim(p.preamble) != "" {
		texts = append(texts, p.preamble)
	}
	for i, old := range p.blocks {
		now := m.blocks[m.order[i]]
		if now != nil {
			texts = append(texts, now.raw)
			placed[m.order[i]] = true
		}
		if now != old {
			m.warnOfTail(old, now)
		}
	}
	m.bare = len(m.keys) == 0
	for _, key := range m.keys {
		if !placed[key] {
			texts = append(texts, m.blocks[key].raw)
		}
	}
	body := TrimRight(strings.Join(texts, "\n\n"))
	var pieces []string
	for _, piece := range []string{p.before, p.heading, body, p.after} {
		if piece != "" {
			pieces = append(pieces, piece)
		}
	}
	m.text = TrimRight(singleBlanks(strings.Join(pieces, "\n\n"))) + "\n"
}

// warnOfTail warns of a section that is inside a requirement and is lost with it.
func (m *specMerge) warnOfTail(old, now *block) {
	heading, tail := foreignTail(old)
	if heading == "" {
		return
	}
	if now != nil && strings.Count(Trim(now.raw), tail) >= strings.Count(Trim(old.raw), tail) {
		return
	}
	m.warn("%s - \"%s\" sits inside requirement \"%s\" and goes with it. Move it under its own requirement, or above `## Requirements`, to keep it.", m.capability, heading, old.name)
}

// foreignTail returns the first heading above the level of scenarios inside a requirement,
// and the text from there.
func foreignTail(b *block) (heading, tail string) {
	for i, l := range b.body {
		if l.fenced {
			continue
		}
		if level := looseHeading(l.text); level > 0 && level < 4 {
			return Trim(l.text), Trim(b.body[i:].text())
		}
	}
	return "", ""
}

// looseHeading is the level of a heading as CommonMark has it: indented by up to three
// spaces, perhaps without a title.
func looseHeading(text string) int {
	rest := strings.TrimLeft(text, " ")
	after := strings.TrimLeft(rest, "#")
	level := len(rest) - len(after)
	if len(text)-len(rest) > 3 || level > 6 || after != "" && after[0] != ' ' && after[0] != '\t' {
		return 0
	}
	return level
}

// singleBlanks reduces runs of empty lines to one, except in code.
func singleBlanks(text string) string {
	var kept []string
	empty := false
	// The text is divided at line feeds only: what else it has stays.
	lines := strings.Split(text, "\n")
	for i, fenced := range Fences(lines) {
		if !fenced && lines[i] == "" {
			if empty {
				continue
			}
			empty = true
		} else {
			empty = false
		}
		kept = append(kept, lines[i])
	}
	return strings.Join(kept, "\n")
}

// requirementList lists the requirements in the order in which they came.
type requirementList struct {
	keys   []string
	blocks map[string]*block
	// folded are the keys without case and blanks.
	folded map[string]string
}

func (r *requirementList) setBlock(name string, b *block) {
	if r.blocks[name] == nil {
		r.keys = append(r.keys, name)
		r.folded[name] = foldName(name)
	}
	r.blocks[name] = b
}

func (r *requirementList) deleteBlock(name string) {
	delete(r.blocks, name)
	r.keys = slices.DeleteFunc(r.keys, func(k string) bool { return k == name })
}

// findSimilar finds a requirement with a name that is the same but for case and blanks. It leaves
// out one name.
func (r *requirementList) findSimilar(name, except string) *block {
	folded := foldName(name)
	for _, k := range r.keys {
		if k != except && r.folded[k] == folded {
			return r.blocks[k]
		}
	}
	return nil
}
