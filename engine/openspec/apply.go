package openspec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"chant/engine/openspec/folder"
)

// File is a file to write. Its path is below openspec.
type File struct {
	Path string
	Data []byte
}

// Action says what happens to a spec.
type Action string

const (
	// Create writes a spec for a new capability.
	Create Action = "create"
	// Update rewrites a spec.
	Update Action = "update"
	// Keep leaves a spec as it is: all that the delta wants was done before.
	Keep Action = "keep"
	// Retire deletes a spec whose last requirement is removed.
	Retire Action = "retire"
)

// Outcome is what a change does to one capability.
type Outcome struct {
	Capability string
	Action     Action
	Counts     Counts
}

// Applied is the result of applying the deltas of a change. Nothing is written.
type Applied struct {
	Writes []File
	// Deletes are paths below openspec. Folders that become empty go too.
	Deletes  []string
	Outcomes []Outcome
	Warnings []string
}

// Totals adds up what happens to all capabilities.
func (a Applied) Totals() Counts {
	var sum Counts
	for _, o := range a.Outcomes {
		sum.Added += o.Counts.Added
		sum.Modified += o.Counts.Modified
		sum.Removed += o.Counts.Removed
		sum.Renamed += o.Counts.Renamed
	}
	return sum
}

// ApplyOptions are choices of the caller.
type ApplyOptions struct {
	// NoValidate writes specs that are not valid. No spec is deleted then.
	NoValidate bool
}

// ApplyError lists all reasons why the deltas of a change cannot be applied. The first is
// the one that the tool stops with.
type ApplyError struct {
	Change   string
	Problems []Problem
	// Invalid are specs that would not be valid afterwards, if the deltas as such can be
	// applied.
	Invalid []InvalidSpec
}

// InvalidSpec is a spec that would not be valid with the change applied.
type InvalidSpec struct {
	Capability string
	Findings   []Finding
	// Hint says what to do if the change removes the last requirement.
	Hint string
}

func (e *ApplyError) Error() string {
	var lines []string
	for _, p := range e.Problems {
		lines = append(lines, p.Message)
	}
	for _, s := range e.Invalid {
		lines = append(lines, fmt.Sprintf("Rebuilt spec for '%s' failed validation. No files were changed.", s.Capability))
	}
	return strings.Join(lines, "\n")
}

// Apply computes the specs with the deltas of a change in them, all or none: on a problem it
// returns an *ApplyError.
func Apply(fsys fs.FS, id string, opts ApplyOptions) (Applied, error) {
	if _, err := changeDir(fsys, id); err != nil {
		return Applied{}, err
	}
	m, err := folder.ReadMetadata(fsys, path.Join(folder.ChangesDir, id))
	if err != nil {
		return Applied{}, err
	}
	a := &applying{ApplyOptions: opts}
	a.declared, a.unheard = m.RetiresCapabilities(fsys)
	deltas, err := readDeltas(fsys, id)
	if err != nil {
		return Applied{}, err
	}
	failure := &ApplyError{Change: id}
	for _, d := range deltas {
		old, exists, err := folder.ReadText(fsys, path.Join(folder.SpecsDir, d.path))
		if err != nil {
			return Applied{}, err
		}
		r := rebuilt{delta: d, old: old, exists: exists}
		var problems []Problem
		r.merged, problems = merge(d, id, old, exists)
		failure.Problems = append(failure.Problems, problems...)
		a.specs = append(a.specs, r)
	}
	if len(failure.Problems) > 0 {
		return Applied{}, failure
	}
	if failure.Invalid = a.decide(); len(failure.Invalid) > 0 {
		return Applied{}, failure
	}
	return a.result(), nil
}

// rebuilt is a spec with its delta applied.
type rebuilt struct {
	*delta
	merged
	old    string
	exists bool
	action Action
}

// applying is what is known while a change is applied.
type applying struct {
	ApplyOptions
	// declared says that the change may retire capabilities; unheard is why its declaration
	// does not count.
	declared bool
	unheard  string
	specs    []rebuilt
}

// decide finds the action for each spec, and the specs that would not be valid.
func (a *applying) decide() []InvalidSpec {
	var invalid []InvalidSpec
	for i := range a.specs {
		r := &a.specs[i]
		r.action = Update
		if !r.exists {
			r.action = Create
		}
		if r.counts.total() == 0 {
			r.action = Keep
		}
		if a.NoValidate {
			continue
		}
		found := checkSpec(r.text)
		emptied := r.bare && onlyEmpty(found)
		switch {
		case emptied && a.declared && len(r.loose) == 0 && !r.exists:
			r.action = Keep // it was retired before
		case emptied && a.declared && len(r.loose) == 0 && r.counts.Removed > 0:
			r.action = Retire
		case !Valid(found, false):
			invalid = append(invalid, InvalidSpec{Capability: r.capability, Findings: found, Hint: a.hint(r, found)})
		}
	}
	return invalid
}

// onlyEmpty reports whether a spec lacks requirements and has no other error.
func onlyEmpty(found []Finding) bool {
	wrong := errorsOf(found)
	return len(wrong) > 0 && !slices.ContainsFunc(wrong, func(f Finding) bool { return f.Message != msgNoRequirements })
}

// hint says how a change can remove the last requirement of a capability.
func (a *applying) hint(r *rebuilt, found []Finding) string {
	unheard := ""
	if a.unheard != "" {
		unheard = " The marker present now cannot be honored (" + a.unheard + ")."
	}
	last := r.exists && r.counts.Removed > 0 && r.bare
	switch {
	case !onlyEmpty(found):
		return ""
	case a.declared && len(r.loose) > 0:
		return fmt.Sprintf("'%s' declares retire_capabilities, but the spec holds content the merge cannot safely account for and deleting the file would take with it: %s. Move it into `## Purpose` or a canonical requirement, or delete the spec by hand.", r.capability, quoteLoose(r.loose))
	case a.declared || !last:
		return ""
	case len(r.loose) > 0:
		return fmt.Sprintf("This change removes the last requirement '%s' has, so the rebuilt spec has none left and cannot be written. Retiring the capability is what archive does instead, and it is refused while the spec holds content the merge cannot safely account for and deleting the file would take with it: %s. Move it into `## Purpose` or a canonical requirement, or delete the spec by hand, then rerun.", r.capability, quoteLoose(r.loose)) + unheard
	}
	return fmt.Sprintf("This change removes the last requirement '%s' has. To retire the capability and delete its spec, add `retire_capabilities: true` to the change's .openspec.yaml (alongside its `schema:`, which that file requires), then rerun.", r.capability) + unheard
}

// quoteLoose quotes the first lines that would be lost.
func quoteLoose(lines []string) string {
	const shown, longest = 3, 200
	var quotes []string
	for _, l := range lines[:min(shown, len(lines))] {
		runes := []rune(folder.Printable(l))
		if len(runes) > longest {
			runes = append(runes[:longest], '…')
		}
		quotes = append(quotes, string(runes))
	}
	text := quoted(quotes)
	if more := len(lines) - shown; more > 0 {
		text += fmt.Sprintf(", and %d more line(s)", more)
	}
	return text
}

// result lists what is to be done.
func (a *applying) result() Applied {
	var out Applied
	var retired []string
	for _, r := range a.specs {
		file := path.Join(folder.SpecsDir, r.path)
		out.Outcomes = append(out.Outcomes, Outcome{Capability: r.capability, Action: r.action, Counts: r.counts})
		out.Warnings = append(out.Warnings, r.warnings...)
		switch r.action {
		case Create, Update:
			out.Writes = append(out.Writes, File{Path: file, Data: []byte(endLikeBefore(r.text, r.old))})
		case Retire:
			out.Deletes = append(out.Deletes, file)
			retired = append(retired, retirement(r.capability, "openspec/"+file))
		}
	}
	out.Warnings = append(out.Warnings, retired...)
	return out
}

// retirement says that a spec is deleted, and how to get it back.
func retirement(capability, file string) string {
	recovery := fmt.Sprintf("If it was committed, restore it with: git checkout HEAD -- \":(top)%s\"", file)
	if strings.ContainsAny(file, "\"\\$`\r\n%!") {
		recovery = fmt.Sprintf("It was deleted from %s; if it was committed, restore it from that checkout's history.", file)
	}
	return fmt.Sprintf("%s - capability retired; deleted the main spec (all requirements removed, declared by retire_capabilities) at %s. Its section(s) went with it: Purpose. %s", capability, file, recovery)
}

// endLikeBefore ends the lines of a text as most lines of its old version do.
func endLikeBefore(text, old string) string {
	returns, feeds := strings.Count(old, "\r\n"), strings.Count(old, "\n")
	if feeds == 0 {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if 2*returns >= feeds {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// asApplyError returns the problems of an error.
func asApplyError(err error) *ApplyError {
	var e *ApplyError
	errors.As(err, &e)
	return e
}
