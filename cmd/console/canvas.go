package console

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"chant/cmd/console/screen"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/text"

	"github.com/charmbracelet/x/term"
)

// Canvas is what a command may draw on the stream of its results.
type Canvas = screen.Canvas

// Canvas returns what the command may draw on.
func (a *App) Canvas() Canvas {
	f, ok := a.Screen.Out.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return Canvas{}
	}
	width, height, err := term.GetSize(f.Fd())
	if err != nil || width <= 0 {
		width = screen.PlainWidth
	}
	return Canvas{Width: width, Height: max(0, height), Rich: screen.Known(a.Environ), Styled: screen.Colours(a.Environ) && !a.JSON, Now: time.Now()}
}

// Results returns where a command writes text for people, and the function that ends it: the terminal with its styles, by
// a pager if the text is longer than the screen; anywhere else Out.
func (a *App) Results(on Canvas) (w io.Writer, end func() error) {
	if on.Width == 0 {
		return a.Out, func() error { return nil }
	}
	to, done := a.Screen.Out, func() error { return nil }
	if p := a.pager(on); p != nil {
		to, done = p, p.Close
	}
	if on.Styled {
		styled := screen.NewWriter(to)
		return styled, func() error { return errors.Join(styled.Flush(), done()) }
	}
	plain := text.NewVisibleWriter(to)
	return plain, func() error {
		if v, ok := plain.(*text.VisibleWriter); ok {
			return errors.Join(v.Flush(), done())
		}
		return done()
	}
}

// pager returns the pager for results, nil for none.
func (a *App) pager(on Canvas) *screen.Pager {
	f, ok := a.Screen.Out.(*os.File)
	if !ok || a.NoPager || !on.Rich || on.Height == 0 {
		return nil
	}
	words := screen.PagerWords(a.Environ)
	if len(words) == 0 {
		return nil
	}
	return &screen.Pager{Words: words, Environ: a.Environ, Out: f, Err: a.Err, Width: on.Width, Height: on.Height, Until: a.lasting}
}

// WriteFile writes a result to a file of the user, completely or not at all. It follows links and refuses anything but a
// regular file.
func (a *App) WriteFile(file string, content []byte) error {
	path := a.Below(file)
	// Replacing a link would leave the file that it names as it was.
	if at, err := filepath.EvalSymlinks(path); err == nil {
		path = at
	}
	// A device or a pipe would be replaced by a file.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return engine.Fail(engine.Usage, next.Help(), "%q is not a regular file", file)
	}
	if err := disk.Write(path, content, disk.Options{}); err != nil {
		return engine.Fail(engine.Usage, next.Help(), "cannot write %q: %s", file, err)
	}
	return nil
}
