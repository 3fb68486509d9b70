package pages

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"chant/engine"
)

// openBrowser opens an address in the user's browser, as far as there is one. The address contains a secret, and others
// see the arguments of programs: so the browser gets a file that leads there, in a folder that is hidden from agents.
// leave removes it.
func openBrowser(address string, p *engine.Project, environ []string) (leave func()) {
	hidden, err := p.Store.CacheDir(".serve") // only for this user
	if err != nil {
		return nil // the address was printed
	}
	dir, err := os.MkdirTemp(hidden, "")
	if err != nil {
		return nil
	}
	leave = func() { _ = os.RemoveAll(dir) } // a leftover is small, and its address is that of no server
	page := fmt.Sprintf("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n", html.EscapeString(address))
	file := filepath.Join(dir, "open.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		return leave
	}
	program := []string{"xdg-open", file}
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open", file}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler", file}
	}
	c := exec.Command(program[0], program[1:]...)
	c.Env = environ
	if c.Start() == nil {
		go func() { _ = c.Wait() }() // whether a browser could be opened is seen
	}
	return leave
}
