package gotypes

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"chant/engine/code/exact"
)

// findings are the facts about all modules.
type findings struct {
	notices []string
	missing bool
	files   map[string]exact.File
	numbers map[exact.Target]int
	targets []exact.Target
	pairs   map[exact.Pair]bool
	runs    map[exact.Run]bool
}

func (f *findings) number(t exact.Target) int {
	n, ok := f.numbers[t]
	if !ok {
		if f.numbers == nil {
			f.numbers = map[exact.Target]int{}
		}
		n = len(f.targets)
		f.numbers[t] = n
		f.targets = append(f.targets, t)
	}
	return n
}

// collect adds what was found out about a module.
func (b *build) collect() {
	f := &b.found
	if f.files == nil {
		f.files, f.pairs, f.runs = map[string]exact.File{}, map[exact.Pair]bool{}, map[exact.Run]bool{}
	}
	called := map[exact.Target]bool{}
	for _, u := range b.list {
		for _, one := range u.found {
			file := exact.File{Path: one.name, Whole: !u.broken, Unknown: one.unknown}
			for _, use := range one.uses {
				// Only methods of foreign interfaces that are called need to be followed to what they run.
				if use.to.Path == "" {
					called[use.to] = true
				}
				through := -1
				if use.through.Name != "" {
					through = f.number(use.through)
				}
				file.Uses = append(file.Uses, exact.Use{Kind: use.kind, At: use.at, To: f.number(use.to), Through: through})
			}
			slices.SortStableFunc(file.Uses, func(a, b exact.Use) int { return cmp.Compare(a.At, b.At) })
			f.files[one.name] = file
		}
		u.found = nil
		// The checked library stays for the next module.
		if u.Standard && !u.inRoot && u.pkg != nil {
			b.standard[u.ImportPath] = u
		}
	}
	m := b.implement(called)
	for _, p := range m.pairs {
		f.pairs[exact.Pair{From: f.number(p.from), To: f.number(p.to)}] = true
	}
	for _, r := range m.runs {
		f.runs[exact.Run{Through: f.number(r.through), Method: f.number(r.method), Runs: f.number(r.runs)}] = true
	}
	b.report()
}

// report adds a notice about packages with errors.
func (b *build) report() {
	var broken []string
	first := ""
	for _, u := range b.list {
		if !u.full {
			continue
		}
		switch {
		case u.Error != nil:
			b.found.missing = true
			if broken = append(broken, u.path()); first == "" {
				first = firstLine(u.Error.Err, "")
			}
		case u.first != nil:
			if broken = append(broken, u.path()); first == "" {
				first = firstLine(u.first.Error(), "")
				// Users know files from the top of their worktree.
				if below, ok := strings.CutPrefix(first, b.Root+"/"); ok {
					first = below
				}
			}
		}
	}
	slices.Sort(broken)
	if broken = slices.Compact(broken); len(broken) == 1 {
		b.notice("The Go package %s has errors, for example %s. What cannot be resolved there is found by names.", broken[0], first)
	} else if len(broken) > 1 {
		b.notice("%d Go packages have errors, for example %s. What cannot be resolved there is found by names.", len(broken), first)
	}
}

// facts returns all that was found out.
func (l *loader) facts() *exact.Facts {
	facts := &exact.Facts{Notices: l.found.notices, Targets: l.found.targets, Implements: slices.SortedFunc(maps.Keys(l.found.pairs), comparePairs), Runs: slices.SortedFunc(maps.Keys(l.found.runs), compareRuns)}
	for _, name := range slices.Sorted(maps.Keys(l.found.files)) {
		facts.Files = append(facts.Files, l.found.files[name])
	}
	for _, name := range slices.Sorted(maps.Keys(l.beside)) {
		facts.Beside = append(facts.Beside, l.beside[name])
	}
	// Missing packages may be downloaded soon, which changes no file of the worktree.
	if l.found.missing {
		facts.Until = l.Now.Unix() + soon
	}
	return facts
}

func comparePairs(a, b exact.Pair) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

func compareRuns(a, b exact.Run) int {
	return cmp.Or(cmp.Compare(a.Through, b.Through), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Runs, b.Runs))
}
