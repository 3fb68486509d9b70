package site

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"chant/engine/view/picture"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed static/*
var staticFiles embed.FS

// pageNames are the templates of pages; the others are parts of them.
func pageNames() []string {
	return []string{"index", "label", "spec", "graph", "timeline", "changelog", "message"}
}

// partNames are the templates that all pages share.
func partNames() []string { return []string{"layout", "parts", "live"} }

// Theme is a set of templates and static files.
type Theme struct {
	pages  map[string]*template.Template
	static map[string][]byte
}

// ThemeError says what is wrong with a file of a theme.
type ThemeError struct {
	File string // as seen from the folder of the theme
	Err  error
}

// Error names the file.
func (e *ThemeError) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ThemeError) Unwrap() error { return e.Err }

// NewTheme returns chant's own theme, with the files of own in place of those of the same name: NAME.html for templates,
// static/NAME for other files. own may be nil. Errors: *ThemeError for a template that cannot be parsed or has the name of
// no page.
func NewTheme(own fs.FS) (*Theme, error) {
	texts, err := filesIn(templateFiles, "templates", ".html")
	if err != nil {
		return nil, err
	}
	static, err := filesIn(staticFiles, "static", "")
	if err != nil {
		return nil, err
	}
	if own != nil {
		if err := override(own, texts, static); err != nil {
			return nil, err
		}
	}
	static["style.css"] = append(slices.Clip(static["style.css"]), picture.Styles()+"\n"...)
	th := &Theme{pages: map[string]*template.Template{}, static: static}
	for _, name := range pageNames() {
		t := template.New(name)
		for _, part := range append(partNames(), name) {
			if _, err := t.Parse(string(texts[part+".html"])); err != nil {
				return nil, &ThemeError{part + ".html", err}
			}
		}
		th.pages[name] = t
	}
	return th, nil
}

// override replaces files by those of the same name in a folder, and adds its other static files.
func override(own fs.FS, texts, static map[string][]byte) error {
	theirs, err := filesIn(own, ".", ".html")
	if err != nil {
		return err
	}
	for name, text := range theirs {
		// A misspelt name would silently change nothing.
		if _, known := texts[name]; !known {
			return &ThemeError{name, fmt.Errorf("no page has this name (use %s)", strings.Join(slices.Sorted(maps.Keys(texts)), ", "))}
		}
		texts[name] = text
	}
	more, err := filesIn(own, "static", "")
	maps.Copy(static, more)
	return err
}

// filesIn returns the files of a folder whose names have this end, by their names. A missing folder has none.
func filesIn(from fs.FS, dir, end string) (map[string][]byte, error) {
	entries, err := fs.ReadDir(from, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), end) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if found[e.Name()], err = fs.ReadFile(from, path.Join(dir, e.Name())); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Static returns a static file, nil if there is none of this name.
func (th *Theme) Static(name string) []byte { return th.static[name] }

// page is the data of each template.
type page struct {
	Site    string // title of the site
	Heading string
	Root    string // leads from the page to the folder of index.html: "" or "../"
	Nav     []navItem
	Live    bool
	Spec    string // id, on the page of a spec
	Content any
}

type navItem struct {
	Name, Href string
	Current    bool
}

// execute renders a page with a template. Errors: *ThemeError.
func (th *Theme) execute(name string, o Options, p page) ([]byte, error) {
	p.Site, p.Live = o.Title, o.Live
	for _, item := range []navItem{{Name: "Specs", Href: "index.html"}, {Name: "Graph", Href: "graph.html"}, {Name: "Timeline", Href: "timeline.html"}, {Name: "Changelog", Href: "changelog.html"}} {
		item.Current = strings.TrimSuffix(item.Href, ".html") == name && p.Root == ""
		p.Nav = append(p.Nav, item)
	}
	// Rendered as a whole, because a template that fails must leave no half of a page.
	var out bytes.Buffer
	if err := th.pages[name].ExecuteTemplate(&out, "layout", p); err != nil {
		return nil, &ThemeError{name + ".html", err}
	}
	return withoutControls(out.Bytes()), nil
}

// withoutControls removes what HTML does not allow: control characters other than tabs and line ends.
func withoutControls(page []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, page)
}
