package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/view/pages"
)

// This file writes a site about the specs of a project into a folder.
//
// Rules:
//
//   - A folder belongs to a site if it has the list of its files (.chant-site). Any other folder has to be empty, and a
//     file that is not in the list is neither changed nor removed.
//   - A file whose content is the same is not written: a second build changes nothing.
//   - Files are written through a temporary name, and links that lead out of the folder are not followed.
//
// Decisions:
//
// 2026-11-26: pages depend on commits and spec files alone, so that each clone builds the same site. Rejected: costs and
// logs, which only one machine has and which may be private; chant serve shows them.

// Input says where a site is written.
type Input struct {
	Out   string // folder, absolute
	Title string // of the site; "" = the name of the project's folder
	URL   string // absolute address where the site will be, for feeds; "" = not known
}

// Result is what was written.
type Result struct {
	Dir       string `json:"dir"`
	Specs     int    `json:"specs"`
	Invalid   int    `json:"invalid,omitempty"` // files that cannot be read and have no page
	Files     int    `json:"files"`
	Written   int    `json:"written"`
	Unchanged int    `json:"unchanged"`
	Removed   int    `json:"removed"`
}

// themeDir is the folder with a project's own templates and static files.
const themeDir = store.Dir + "/site"

// Build writes the site. Errors: State inside a run, Usage for an invalid folder or address, Conflict for a folder that
// belongs to something else, Invalid for a template that cannot be used.
func Build(ctx context.Context, p *engine.Project, in Input) (Result, error) {
	if err := pages.MayBuild(p); err != nil {
		return Result{}, err
	}
	if err := checkInput(p, &in); err != nil {
		return Result{}, err
	}
	th, err := NewTheme(os.DirFS(filepath.Join(engine.Home(p), filepath.FromSlash(themeDir))))
	if err != nil {
		return Result{}, themeError(p, err)
	}
	data, err := pages.Collect(ctx, p, pages.CollectInput{})
	if err != nil {
		return Result{}, engine.Wrap(err, "")
	}
	if in.Title == "" {
		in.Title = data.Name
	}
	r := NewRenderer(th, Options{Title: in.Title, URL: in.URL}, data)
	out, err := openFolder(in.Out)
	if err != nil {
		return Result{}, engine.Wrap(err, "")
	}
	result, err := write(ctx, out, r.Files())
	err = errors.Join(err, out.close())
	result.Dir, result.Specs, result.Invalid = in.Out, len(data.Specs), len(data.Invalid)
	return result, themeError(p, err)
}

// checkInput refuses folders that are not for a site, and addresses that are none.
func checkInput(p *engine.Project, in *Input) error {
	home := engine.Home(p)
	for _, not := range []string{home, filepath.Join(home, store.Dir), p.Repo.CommonDir()} {
		// A folder inside the project may hold the site, but not the project itself.
		if rel, err := filepath.Rel(not, in.Out); err == nil && (rel == "." || not != home && filepath.IsLocal(rel)) {
			return engine.Fail(engine.Usage, next.Site.Help(), "folder %q is no place for a site (use one of its own, such as public)", spec.Echo(in.Out))
		}
	}
	if in.URL == "" {
		return nil
	}
	u, err := url.Parse(in.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return engine.Fail(engine.Usage, next.Site.Help(), "invalid address %q (use one such as https://example.com/specs/)", spec.Echo(in.URL))
	}
	in.URL = strings.TrimSuffix(u.String(), "/") + "/"
	return nil
}

// themeError is the error of a project's own template, or any other.
func themeError(p *engine.Project, err error) error {
	var bad *ThemeError
	if !errors.As(err, &bad) {
		return engine.Wrap(err, "")
	}
	file := themeDir + "/" + bad.File
	return &engine.Error{Code: engine.Invalid, Next: engine.EditStep(filepath.Join(engine.Home(p), filepath.FromSlash(file))), Message: fmt.Sprintf("%s: %s", file, bad.Err), Err: err}
}

// write renders files and writes those that changed, several at a time, and removes those that the site has no more.
func write(ctx context.Context, out *folder, files []File) (Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	result := Result{Files: len(files)}
	// All files are listed before the first is written, so that a build which is killed leaves none that the next one does
	// not know.
	if err := out.makeFolders(files); err != nil {
		return result, err
	}
	todo := make(chan File)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		workers.Go(func() {
			for f := range todo {
				content, err := f.Render()
				changed := false
				if err == nil {
					changed, err = out.write(f.Path, content)
				}
				if err != nil {
					// The channel has to be emptied, or its writer would wait forever.
					cancel(err)
					continue
				}
				mu.Lock()
				if changed {
					result.Written++
				} else {
					result.Unchanged++
				}
				mu.Unlock()
			}
		})
	}
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		todo <- f
	}
	close(todo)
	workers.Wait()
	// Nothing is removed unless the new site is complete.
	if err := context.Cause(ctx); err != nil {
		return result, err
	}
	var err error
	result.Removed, err = out.finish(files)
	return result, err
}

// isNotExist reports whether a file is missing.
func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
