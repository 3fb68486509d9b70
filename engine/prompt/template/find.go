package template

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
)

// Dir is the folder of the project's templates.
const Dir = store.Dir + "/templates"

// Found is a template of the project or the user, or why it cannot be used.
type Found struct {
	Template
	Err error // nil, or an *engine.Error
}

// UserDir is the folder of the user's templates, "" if the environment names none.
func UserDir(p *engine.Project) string {
	if dir := config.UserDir(p.Environ); dir != "" {
		return filepath.Join(dir, "templates")
	}
	return ""
}

// All lists the templates by name: those of the project, and those of the user with other names. Error: a folder that
// cannot be read.
func All(p *engine.Project) ([]Found, error) {
	var out []Found
	for _, dir := range []string{filepath.Join(engine.Home(p), filepath.FromSlash(Dir)), UserDir(p)} {
		names, err := namesIn(dir)
		if err != nil {
			return nil, unreadable(dir, err)
		}
		for _, name := range names {
			// The project's template hides the user's of the same name.
			if slices.ContainsFunc(out, func(f Found) bool { return f.Name == name }) {
				continue
			}
			t, err := Find(p, name)
			// Find returns no template with an error.
			t.Name = name
			out = append(out, Found{t, err})
		}
	}
	slices.SortFunc(out, func(a, b Found) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// namesIn lists the valid names of templates in a folder, none if it does not exist.
func namesIn(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		name, isTemplate := strings.CutSuffix(e.Name(), ".md")
		if isTemplate && !e.IsDir() && spec.ValidName(name) == nil {
			names = append(names, name)
		}
	}
	return names, err
}

// Find returns a template by its name, the project's before the user's. Errors: NotFound; Invalid for a file that
// cannot be used, with its line, or that is a link out of the project.
func Find(p *engine.Project, name string) (Template, error) {
	if err := spec.ValidName(name); err != nil {
		return Template{}, engine.Fail(engine.NotFound, next.TemplateList.On(), "no template %q: the name %s", spec.Echo(name), reasonOf(err))
	}
	path := Dir + "/" + name + ".md"
	src, err := engine.ReadOwn(p, path)
	own := !errors.Is(err, fs.ErrNotExist)
	if !own {
		if path = UserDir(p); path == "" {
			return Template{}, noneNamed(p, name, Dir)
		}
		src, err = store.ReadFile(path, name+".md")
		path = filepath.Join(path, name+".md")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Template{}, noneNamed(p, name, Dir+" or "+filepath.Dir(path))
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return Template{}, unreadable(path, err)
	}
	t := Template{Name: name, Path: path, Own: own}
	if err == nil {
		t, err = Parse(name, path, src)
		t.Own = own
	}
	return t, engine.Wrap(err, "")
}

// unreadable is the error for a file or folder that the system does not let the user read.
func unreadable(path string, err error) error {
	return engine.Fail(engine.Invalid, next.Shell("ls -ld %q", path), "templates cannot be read: %s", err)
}

// noneNamed is the error for a template that does not exist. It names a template whose front matter has that name.
func noneNamed(p *engine.Project, name, where string) error {
	names, err := namesIn(filepath.Join(engine.Home(p), filepath.FromSlash(Dir)))
	// People look for the name in the front matter, which does not count.
	for _, other := range names {
		path := Dir + "/" + other + ".md"
		src, unread := engine.ReadOwn(p, path)
		if t, bad := Parse(other, path, src); unread == nil && bad == nil && t.stated == name {
			return engine.Fail(engine.NotFound, next.TemplateList.On(), "no template %q: %s has it as its name, but is called %q after its file", name, path, other)
		}
	}
	if err != nil {
		return unreadable(Dir, err)
	}
	return engine.Fail(engine.NotFound, next.TemplateList.On(), "no template %q: there is none in %s", name, where)
}

// reasonOf is why a name is not valid, without the name.
func reasonOf(err error) string {
	if id, ok := errors.AsType[*spec.IDError](err); ok {
		return id.Msg
	}
	return err.Error()
}
