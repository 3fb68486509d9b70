package wizard

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"chant/engine/spec/next"
	"chant/engine/view"

	"charm.land/huh/v2"
)

// Exportable is what a project has to export.
type Exportable struct {
	Statuses []string
	Labels   []string // of its specs
	Fields   []string // all
	Usual    []string // those that are exported unless others are named
	Below    func(path string) string
	Refused  func(path string) error // why nothing can be written there; nil if it can
}

// Exported is what is exported, and how.
type Exported struct {
	Format string
	Input  view.ExportInput
	File   string // "" for standard output
}

// lotar is the format that writes a folder with all specs, and so needs no selection.
const lotar = "lotar"

// Export asks which specs are exported, in which form and where to. Errors: Canceled.
func Export(ctx context.Context, s Screen, k Exportable) (Exported, error) {
	out := Exported{Format: "json"}
	in := &out.Input
	in.Fields = slices.Clone(k.Usual)
	toFolder := func() bool { return out.Format == lotar }
	var choice []huh.Field
	choice = append(choice, huh.NewMultiSelect[string]().Title("Only specs that are (nothing: all)").Description("space selects; Esc leaves").
		Options(huh.NewOptions(k.Statuses...)...).Height(len(k.Statuses)+3).Value(&in.Statuses))
	if len(k.Labels) > 0 {
		choice = append(choice, huh.NewMultiSelect[string]().Title("Only specs with one of these labels (nothing: all)").Description("/ searches, space selects").
			Options(huh.NewOptions(k.Labels...)...).Filterable(true).Height(min(len(k.Labels), 5)+3).Value(&in.Labels))
	}
	pages := []page{
		{group: huh.NewGroup(huh.NewSelect[string]().Title("Format").Description("Esc leaves, and nothing is written").Options(
			huh.NewOption("JSON", "json"), huh.NewOption("CSV, for spreadsheets", "csv"), huh.NewOption("a table in Markdown", "markdown"),
			huh.NewOption("tasks of lotar: a folder with all specs", lotar)).Value(&out.Format))},
		{skip: toFolder, group: huh.NewGroup(choice...)},
		{skip: toFolder, group: huh.NewGroup(
			huh.NewInput().Title("From this day on, such as 2026-01-31 (may be empty)").Value(&in.From).Validate(checkDay),
			huh.NewInput().Title("Until this day (may be empty)").Value(&in.To).Validate(func(text string) error { return checkUntil(in.From, text) }),
			huh.NewSelect[bool]().Title("Archived specs").Options(huh.NewOption("without", false), huh.NewOption("with", true)).Value(&in.Archived),
		)},
		{skip: toFolder, group: huh.NewGroup(huh.NewMultiSelect[string]().Title("Fields").Description("/ searches, space selects, ctrl+a selects all").
			Options(huh.NewOptions(k.Fields...)...).Filterable(true).Height(16).Value(&in.Fields).Validate(anyField))},
		{skip: toFolder, group: huh.NewGroup(huh.NewInput().Title("File to write (empty: print it)").
			DescriptionFunc(func() string { return k.replacementText(out.File) }, &out.File).Value(&out.File).Validate(k.checkFile))},
		{skip: func() bool { return !toFolder() }, group: huh.NewGroup(huh.NewInput().Title("Folder to write").Value(&out.File).Validate(k.folder))},
	}
	if err := s.askPages(ctx, pages...); err != nil {
		return Exported{}, err
	}
	if out.File = strings.TrimSpace(out.File); toFolder() {
		out.Input = view.ExportInput{}
		// In plain lines, the input has ended.
		if out.File == "" {
			return Exported{}, errLeft()
		}
	}
	switch {
	// The command that does the same is shorter without them.
	case slices.Equal(in.Fields, k.Usual):
		in.Fields = nil
	case slices.Equal(in.Fields, k.Fields):
		in.Fields = []string{"all"}
	}
	in.From, in.To = strings.TrimSpace(in.From), strings.TrimSpace(in.To)
	return out, nil
}

// checkDay refuses what is not a day.
func checkDay(text string) error {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return fmt.Errorf("%q is not a day such as 2026-01-31", text)
	}
	return nil
}

// checkUntil refuses a last day before the first.
func checkUntil(from, text string) error {
	from, text = strings.TrimSpace(from), strings.TrimSpace(text)
	if err := checkDay(text); err != nil || text == "" || text >= from {
		return err
	}
	return fmt.Errorf("%s is before %s", text, from)
}

func anyField(names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("select at least one field")
	}
	return nil
}

// replacementText says what becomes of a file that exists.
func (k Exportable) replacementText(file string) string {
	if file = strings.TrimSpace(file); file == "" {
		return ""
	}
	if _, err := os.Stat(k.Below(file)); err != nil {
		return "a new file"
	}
	return "it exists, and is replaced"
}

func (k Exportable) checkFile(file string) error {
	if file = strings.TrimSpace(file); file == "" {
		return nil
	}
	return k.Refused(file)
}

func (k Exportable) folder(file string) error {
	if err := checkGiven(file); err != nil {
		return err
	}
	return k.Refused(strings.TrimSpace(file))
}

// ExportStep is the command that exports the same.
func ExportStep(e Exported) next.Step {
	step := next.Export.On().Set("format", e.Format)
	for _, status := range e.Input.Statuses {
		step = step.Set("status", status)
	}
	for _, label := range e.Input.Labels {
		step = step.Set("label", label)
	}
	for _, part := range []struct{ name, value string }{{"from", e.Input.From}, {"to", e.Input.To}, {"fields", strings.Join(e.Input.Fields, ",")}} {
		if part.value != "" {
			step = step.Set(part.name, part.value)
		}
	}
	if e.Input.Archived {
		step = step.Flag("archived")
	}
	if e.File != "" {
		step = step.Set("output", e.File)
	}
	return step
}
