package openspec

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// randomProject makes changes that each alter a capability of their own in a random way.
// Names are few, so that deltas often meet what is there.
func randomProject(seed uint64, changes int) project {
	r := random{Rand: rand.New(rand.NewPCG(seed, seed))}
	p := project{}
	for i := range changes {
		capability := fmt.Sprintf("c%03d", i)
		spec, change := "specs/"+capability+"/spec.md", "changes/x"+capability
		switch r.tame = i%2 == 0; {
		case r.tame:
			names := r.names()
			p[spec] = r.file(r.spec(names))
			p[change+"/"+spec] = r.file(r.alteration(names))
		case r.IntN(8) > 0:
			p[spec] = r.file(r.spec(r.names()))
			fallthrough
		default:
			p[change+"/"+spec] = r.file(r.delta())
		}
		if r.IntN(3) == 0 {
			p[change+"/.openspec.yaml"] = "schema: spec-driven\nretire_capabilities: true\n"
		}
		if r.IntN(3) == 0 {
			p[change+"/tasks.md"] = r.pick("- [ ] a\n", "## 1. A\n- [x] 1.1 b\n* [ ] 2.1 c\n", "- a\n", "")
		}
	}
	return p
}

// random makes documents.
type random struct {
	*rand.Rand
	// tame makes documents that are mostly right.
	tame bool
}

func (r random) pick(words ...string) string { return words[r.IntN(len(words))] }

// often returns a text in most cases.
func (r random) often(text string) string {
	if !r.tame && r.IntN(12) == 0 {
		return ""
	}
	return text
}

// file writes a text in one of the ways in which editors do.
func (r random) file(text string) string {
	switch r.IntN(8) {
	case 0:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		text = "\uFEFF" + text
	case 2:
		text = strings.TrimRight(text, "\n")
	case 3:
		text = strings.Replace(text, "\n", "\r\n", 1)
	}
	return text
}

func (r random) name() string {
	return r.pick("Alpha", "Beta", "Gamma", "Delta", "Two words", "Two  words", "alpha", "Beta #", "C#", "`Quoted`")
}

func (r random) noise() string {
	return r.pick("", "", "", "\n", "\n\n\n", "Some words.\n", "   \n", "```\n## Purpose\n### Requirement: Alpha\n\n\n```\n", "### Divider\n", "# Top\n", "<!-- a comment -->\n",
		"- an item\n  and more\n", "| a | b |\n", "---\n", "## Notes\n", "##  \n", "~~~\n", "\t- tab\n", "#### Loose\n", "##### Deep\n", "<h2>HTML</h2>\n", "1. one\ntwo\n")
}

// calm is noise that does not end a section.
func (r random) calm() string {
	if r.IntN(4) > 0 || r.tame && r.IntN(4) > 0 {
		return ""
	}
	return r.noise()
}

func (r random) requirement(name string) string {
	var b strings.Builder
	b.WriteString(r.pick("### Requirement: ", "### Requirement: ", "### Requirement: ", "###Requirement: ", "### requirement:") + name + r.pick("\n", "\n", " ##\n", "  \n"))
	b.WriteString(r.often("It SHALL "+r.pick("work", "run", "run\nand run")+".\n") + r.calm())
	scenarios := []string{"One", "Two", "Three"}
	if !r.tame {
		r.Shuffle(len(scenarios), func(i, j int) { scenarios[i], scenarios[j] = scenarios[j], scenarios[i] })
	}
	for _, scenario := range scenarios[:1+r.IntN(3)] {
		b.WriteString(r.pick("\n", "\n", "") + r.pick("#### Scenario: ", "#### Scenario: ", "#### ") + scenario + "\n")
		b.WriteString(r.often(r.pick("- **WHEN** x\n- **THEN** y\n", "- **WHEN** x\n  y\nz\n", "Text.\n")))
	}
	return b.String() + r.calm() + r.pick("\n", "\n", "")
}

// names are those of a spec's requirements.
func (r random) names() []string {
	names := []string{"Alpha", "Beta", "Gamma", "Delta", "Two words", "C#"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:r.IntN(5)]
}

func (r random) spec(names []string) string {
	var b strings.Builder
	b.WriteString("# Title\n\n" + r.calm())
	b.WriteString(r.often("## Purpose\n" + r.pick("A purpose that is long enough to be called anything but brief.\n", "Short.\n", "TBD\n") + "\n"))
	b.WriteString(r.often("## Requirements\n" + r.pick("", "\n", "Words.\n\n")))
	for _, name := range names {
		b.WriteString(r.requirement(name))
	}
	return b.String() + r.pick("", "", "\n## Notes\n\nThe end.\n", "\n\n\n")
}

// alteration is a delta that fits a spec, unless scenarios get lost.
func (r random) alteration(names []string) string {
	sections := map[string]string{}
	if r.IntN(2) == 0 || len(names) == 0 {
		sections["ADDED"] = r.requirement(r.pick("Epsilon", "Zeta")) + r.requirement("Eta")
	}
	for i, name := range names {
		switch r.IntN(6) {
		case 0:
			sections["REMOVED"] += r.pick("### Requirement: ", "- `### Requirement: ", "* ### Requirement: ") + name + "\n"
		case 1, 2:
			sections["MODIFIED"] += r.requirement(name)
		case 3, 4:
			renamed := fmt.Sprintf("New %d", i)
			sections["RENAMED"] += "- FROM: `### Requirement: " + name + "`\n- TO: `### Requirement: " + renamed + "`\n"
			if r.IntN(3) == 0 {
				sections["MODIFIED"] += r.requirement(renamed)
			}
		}
	}
	text := ""
	for _, kind := range []string{"RENAMED", "ADDED", "REMOVED", "MODIFIED"} {
		if sections[kind] != "" {
			text += "## " + kind + " Requirements\n" + r.pick("\n", "") + sections[kind] + r.pick("\n", "")
		}
	}
	return text
}

func (r random) delta() string {
	var sections []string
	if r.IntN(4) == 0 {
		sections = append(sections, "## Purpose\n"+r.pick("A purpose that is long enough to be called anything but brief.\n", "Short.\n", "<!-- x -->\n", "A <!-- b\n", "Text\n### More\n", "```\ncode\n")+"\n")
	}
	for _, kind := range []string{"ADDED", "MODIFIED", "REMOVED", "RENAMED"} {
		if r.IntN(2) == 0 {
			continue
		}
		text := "## " + r.pick(kind, kind, strings.ToLower(kind)) + " Requirements\n" + r.pick("\n", "")
		for range 1 + r.IntN(2) {
			switch kind {
			case "ADDED", "MODIFIED":
				text += r.requirement(r.name())
			case "REMOVED":
				text += r.pick("### Requirement: ", "- `### Requirement: ", "* ### Requirement: ") + r.name() + r.pick("\n", "`\n", "")
			default:
				text += "- FROM: `### Requirement: " + r.name() + "`\n" + r.often("- TO: `### Requirement: "+r.pick(r.name(), "New one", "New two")+"`\n")
			}
		}
		sections = append(sections, text+"\n"+r.calm())
	}
	if len(sections) > 1 && r.IntN(3) == 0 {
		slices.Reverse(sections)
	}
	return strings.Join(sections, "")
}
