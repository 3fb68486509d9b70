package library

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/climpt"
)

// missingFile is the text of an error for a registry that does not exist.
const missingFile = "File not found"

// promptsDir returns the default folder of the prompts of an agent.
func promptsDir(agent string) string { return AgentsDir + "/" + agent + "/prompts" }

// readPrompts describes the commands of an agent without a registry by the front matter of its prompts.
func (l *Library) readPrompts(ctx context.Context, s *shelf) error {
	known := false
	for _, pl := range s.places {
		known = known || s.hasFile(pl, AgentsDir+"/"+l.Agent)
		entries, warnings, err := readTree(ctx, s, pl, l.Agent)
		if err != nil {
			return err
		}
		l.add(entries...)
		l.Warnings = append(l.Warnings, warnings...)
	}
	// climpt itself has the shipped commands, so without a folder it is not missing anything.
	if len(l.Entries) == 0 && (known || l.Agent != DefaultAgent) {
		return &RegistryError{registryFile(l.Agent), missingFile}
	}
	return nil
}

// readTree describes the commands whose prompts are below the folder of an agent, in order.
func readTree(ctx context.Context, s *shelf, pl place, agent string) (entries []Entry, warnings []string, err error) {
	s.odd = nil
	err = s.eachCommand(pl, agent, func(dir string, name climpt.Name, files []fs.DirEntry) error {
		e, more, err := describe(s, pl, dir, name, files)
		warnings = append(warnings, more...)
		// One broken file does not hide the others.
		if err != nil {
			warnings = append(warnings, err.Error())
			return ctx.Err()
		}
		entries = append(entries, e)
		return ctx.Err()
	})
	return entries, append(warnings, s.odd...), err
}

// WithUnregistered returns the commands of the library and those whose prompts exist although its registry does not
// have them, by name, with warnings of prompts that are left out.
func (l *Library) WithUnregistered(ctx context.Context, p *engine.Project) (out []Entry, warnings []string, err error) {
	out = slices.Clone(l.Entries)
	// Without a registry the library was read from the prompts, so that it has all of them.
	if l.Registry == "" {
		return out, nil, nil
	}
	s := newShelf(p)
	for _, pl := range s.places {
		found, more, err := readTree(ctx, s, pl, l.Agent)
		if err != nil {
			return nil, nil, err
		}
		warnings = append(warnings, more...)
		for _, e := range found {
			if len(l.records(e.Name)) == 0 {
				e.Unregistered = true
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return climpt.Compare(a.Name, b.Name) })
	return out, warnings, nil
}

// eachCommand calls do for each folder of an agent with prompts of a command, in order.
func (s *shelf) eachCommand(pl place, agent string, do func(dir string, name climpt.Name, files []fs.DirEntry) error) error {
	top := promptsDir(agent)
	return s.eachFolder(pl, top, true, func(c1 string, entries []fs.DirEntry) error {
		return s.eachEntry(pl, top+"/"+c1, entries, func(c2 string, entries []fs.DirEntry) error {
			dir := top + "/" + c1 + "/" + c2
			return s.eachEntry(pl, dir, entries, func(c3 string, entries []fs.DirEntry) error {
				files := promptFiles(entries)
				if len(files) == 0 {
					return nil
				}
				return do(dir+"/"+c3, climpt.Name{C1: c1, C2: c2, C3: c3}, files)
			})
		})
	})
}

// promptFiles returns the entries with the names of prompts.
func promptFiles(entries []fs.DirEntry) []fs.DirEntry {
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		_, _, ok := climpt.VariantOf(e.Name())
		return !ok
	})
}

// eachFolder calls do for each folder in a folder that may be a link, with what is in it.
func (s *shelf) eachFolder(pl place, dir string, link bool, do func(name string, entries []fs.DirEntry) error) error {
	entries, err := s.list(pl, dir, link)
	if err != nil {
		return err
	}
	return s.eachEntry(pl, dir, entries, do)
}

// eachEntry calls do for each entry that is a folder with a name that may be a word of a command.
func (s *shelf) eachEntry(pl place, dir string, entries []fs.DirEntry, do func(name string, entries []fs.DirEntry) error) error {
	for _, e := range entries {
		link := e.Type()&fs.ModeSymlink != 0
		if !e.IsDir() && !link {
			continue
		}
		if err := climpt.CheckWord("folder", e.Name()); err != nil {
			// Hidden folders belong to other programs.
			if !strings.HasPrefix(e.Name(), ".") {
				s.odd = append(s.odd, pl.name(dir)+": "+err.Error())
			}
			continue
		}
		inside, err := s.list(pl, dir+"/"+e.Name(), link)
		if err != nil {
			return err
		}
		if err := do(e.Name(), inside); err != nil {
			return err
		}
	}
	return nil
}

// describe describes a command by the prompt of its default edition, or by its first one. The other files say which
// editions and adaptations there are.
func describe(s *shelf, pl place, dir string, name climpt.Name, files []fs.DirEntry) (e Entry, warnings []string, err error) {
	lead := files[0]
	for _, f := range files {
		if f.Name() == climpt.FileName("", "") {
			lead = f
		}
	}
	file := dir + "/" + lead.Name()
	src, err := s.readEntry(pl, dir, lead)
	if err != nil {
		return e, nil, fmt.Errorf("%s: %w", pl.name(file), err)
	}
	c, warnings, err := climpt.FromPrompt(pl.name(file), name, src)
	if err != nil {
		return e, warnings, err
	}
	if c.Options == nil {
		c.Options = &climpt.Options{}
	}
	for _, f := range files {
		edition, adaptation, _ := climpt.VariantOf(f.Name())
		c.Options.Edition = appendNew(c.Options.Edition, edition)
		c.Options.Adaptation = appendNew(c.Options.Adaptation, adaptation)
	}
	// A command without words would not be found by any question.
	if c.Description == "" {
		c.Description = strings.Join([]string{name.C1, name.C2, name.C3}, " ")
	}
	return Entry{Command: c, Source: FromPrompt, File: pl.name(file)}, warnings, nil
}

// appendNew adds a word to a list that does not have it.
func appendNew(list []string, word string) []string {
	if word == "" || slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}
