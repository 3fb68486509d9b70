package library

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt"
	"chant/engine/prompt/template"
	"chant/markdown"
)

// Text is the prompt of a command, without the values of variables.
type Text struct {
	climpt.Command        // as the registry or, without one, the prompt describes it
	Body           string // without front matter
	File           string // as messages name it
	Edition        string
	Adaptation     string // "" for none
	Prefix         string // of destinations, as user.yml has it

	Template *template.Template // if the command is a template of specs; it has no Body then
}

// Text finds the prompt of a command. Errors: *NotFoundError, *ExecutionError.
func (l *Library) Text(p *engine.Project, name climpt.Name, given climpt.Given) (Text, error) {
	refuse := func(format string, args ...any) error {
		return &ExecutionError{l.commandLine(name), fmt.Sprintf(format, args...)}
	}
	if err := name.Check(); err != nil {
		return Text{}, refuse("%s", err)
	}
	records, err := l.Find(name)
	if err != nil {
		return Text{}, refuse("%s", err)
	}
	for _, w := range []struct{ key, text string }{{"edition", given.Edition}, {"adaptation", given.Adaptation}} {
		if err := climpt.CheckVariant(w.key, w.text, nil); err != nil {
			return Text{}, refuse("%s", err)
		}
	}
	if len(records) > 0 && records[0].Source == FromChant {
		return chantText(p, records[0], refuse)
	}
	if len(records) > 0 && records[0].Source == FromTemplate {
		return templateText(p, records[0], refuse)
	}
	r := resolver{shelf: newShelf(p), agent: l.Agent, name: name}
	t, err := r.find(given)
	if err != nil {
		return Text{}, refuse("%s", err)
	}
	// Last, because a prompt of the project or the user replaces a shipped one.
	if t.File == "" && len(records) > 0 && records[0].Source == FromShipped {
		if t, err = shippedText(name); err != nil {
			return Text{}, refuse("%s", err)
		}
	}
	// A command that only its prompt file shows exists too, so the file is looked for first.
	if t.File == "" && len(records) == 0 {
		return Text{}, &NotFoundError{l.Agent, name}
	}
	if t.File == "" {
		return Text{}, refuse("%s", r.describeMissing())
	}
	if err := r.checkRules(&t); err != nil {
		return Text{}, refuse("%s", err)
	}
	// The registry describes a command for climpt too, so it takes precedence over the front matter.
	if len(records) > 0 {
		t.Command = records[0].Command
	}
	return t, checkVariants(records, t.Command, given, refuse)
}

// checkVariants refuses an edition or adaptation that no record of the command has.
func checkVariants(records []Entry, c climpt.Command, given climpt.Given, refuse func(string, ...any) error) error {
	// Each record of a name may have other editions.
	for _, e := range records {
		c = c.WithVariants(e.Command)
	}
	if err := climpt.CheckVariant("edition", given.Edition, c.Editions()); err != nil {
		return refuse("%s", err)
	}
	if err := climpt.CheckVariant("adaptation", given.Adaptation, c.Adaptations()); err != nil {
		return refuse("%s", err)
	}
	return nil
}

// chantText is the prompt of chant behind a command.
func chantText(p *engine.Project, e Entry, refuse func(string, ...any) error) (Text, error) {
	body, err := prompt.Text(p, e.prompt)
	if err != nil {
		return Text{}, refuse("%s", err)
	}
	t := Text{Command: e.Command, Body: body, File: e.File, Edition: climpt.Default}
	if t.File == "" {
		t.File = e.prompt + ".md (shipped)"
	}
	return t, nil
}

// templateText is the template behind a command.
func templateText(p *engine.Project, e Entry, refuse func(string, ...any) error) (Text, error) {
	found, err := template.Find(p, e.template)
	if err != nil {
		return Text{}, refuse("%s", err)
	}
	return Text{Command: e.Command, File: found.Path, Edition: climpt.Default, Template: &found}, nil
}

// commandLine is the command line of climpt for a command, without options.
func (l *Library) commandLine(name climpt.Name) string {
	return l.Agent + "-" + name.C1 + " " + name.C2 + " " + name.C3
}

// resolver finds the prompt file of a command by the settings of its domain.
type resolver struct {
	*shelf
	agent string
	name  climpt.Name
	tried []string // the files that were looked for, as messages name them
}

// describeMissing says which prompts were looked for, or which editions there are.
func (r *resolver) describeMissing() string {
	var editions []string
	for _, pl := range r.places {
		dirs, err := r.folders(pl)
		if err != nil {
			// It was read before, with its error.
			continue
		}
		for _, dir := range dirs {
			entries, err := r.list(pl, cleanPath(dir, r.name.C2, r.name.C3), true)
			if err != nil {
				continue
			}
			for _, e := range promptFiles(entries) {
				edition, _, _ := climpt.VariantOf(e.Name())
				editions = appendNew(editions, edition)
			}
		}
	}
	if len(editions) > 0 {
		return "no prompt of the default edition; there is one of " + strings.Join(editions, ", ")
	}
	return "no prompt file; looked for " + strings.Join(r.tried, ", ")
}

// config is the name of the settings of the command's domain.
func (r *resolver) config() string {
	if r.agent == DefaultAgent {
		return r.name.C1
	}
	return r.agent + "-" + r.name.C1
}

// find returns the first prompt that there is of those that the options ask for; without a File if there is none.
func (r *resolver) find(given climpt.Given) (Text, error) {
	for _, pl := range r.places {
		dirs, err := r.folders(pl)
		if err != nil {
			return Text{}, err
		}
		for _, base := range climpt.FileNames(given.Edition, given.Adaptation) {
			for _, dir := range dirs {
				t, err := r.readIn(pl, dir, base)
				// A prompt that is broken is an error: the next one may be for another adaptation.
				if !errors.Is(err, fs.ErrNotExist) {
					return t, err
				}
			}
		}
	}
	return Text{}, nil
}

// readIn reads a prompt of the command in a folder of its domain. Error: fs.ErrNotExist.
func (r *resolver) readIn(pl place, dir, base string) (Text, error) {
	file := cleanPath(dir, r.name.C2, r.name.C3, base)
	src, err := r.read(pl, file)
	if errors.Is(err, fs.ErrNotExist) {
		r.tried = append(r.tried, pl.name(file))
		return Text{}, err
	}
	if err != nil {
		return Text{}, fmt.Errorf("%s: %w", pl.name(file), err)
	}
	return readText(pl.name(file), r.name, base, src)
}

// readText reads a prompt file.
func readText(file string, name climpt.Name, base string, src []byte) (Text, error) {
	c, _, err := climpt.FromPrompt(file, name, src)
	if err != nil {
		return Text{}, err
	}
	doc, err := markdown.Parse(file, src)
	if err != nil {
		return Text{}, err
	}
	t := Text{Command: c, File: file, Body: strings.TrimLeft(string(doc.Body()), "\r\n")}
	t.Edition, t.Adaptation, _ = climpt.VariantOf(base)
	return t, nil
}

// folders returns the folders of the prompts of the domain in a place.
func (r *resolver) folders(pl place) ([]string, error) {
	for _, name := range []string{r.config(), climpt.Default} {
		file := configDir + "/" + name + "-app.yml"
		src, err := r.read(pl, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pl.name(file), err)
		}
		app, err := climpt.ParseApp(pl.name(file), src)
		if err != nil {
			return nil, err
		}
		dir := cleanPath(app.WorkingDir, app.BaseDir)
		switch {
		case app.BaseDir == "":
		case name == r.config():
			return []string{dir}, nil
		// The settings of all domains name a folder of theirs, or the one that has the folders of all.
		default:
			return []string{cleanPath(dir, r.name.C1), dir}, nil
		}
	}
	return []string{cleanPath(promptsDir(r.agent), r.name.C1)}, nil
}

// dir is the folder of the project in which the prompts of the command are, or would be.
func (r *resolver) dir() (string, error) {
	dirs, err := r.folders(r.places[0])
	if err != nil {
		return "", err
	}
	return cleanPath(dirs[0], r.name.C2, r.name.C3), nil
}

// checkRules refuses a command that user.yml does not allow, and takes the prefix of destinations from it.
func (r *resolver) checkRules(t *Text) error {
	for _, pl := range r.places {
		for _, name := range []string{r.config(), climpt.Default} {
			file := configDir + "/" + name + "-user.yml"
			src, err := r.read(pl, file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", pl.name(file), err)
			}
			user, err := climpt.ParseUser(pl.name(file), src)
			if err != nil {
				return err
			}
			t.Prefix = user.Prefix
			return user.Check(r.name)
		}
	}
	return nil
}
