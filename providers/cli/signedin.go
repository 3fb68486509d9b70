package cli

import (
	"bytes"
	"os"
	"slices"

	"chant/providers"
	"chant/providers/loop"
)

// Signs are the traces of a login of a CLI, by which it is noticed without starting the CLI.
type Signs struct {
	Variables []string // a key or a token in the environment
	Files     []SignFile
	Hidden    bool // a login may also be where only the CLI finds it, such as the keychain of the system
}

// SignFile is a file that shows a login: one that is not empty and, if Holds is set, contains that text.
type SignFile struct {
	Path  StatePath
	Holds string
}

// LoginState says whether a login was found, without starting the CLI.
type LoginState string

// What is known of a login. A sign may be out of date: only a request to the model shows whether it is accepted.
const (
	LoggedIn   LoginState = "logged in"
	NoLogin    LoginState = "no login found" // in the places in which its logins are
	NotKnown   LoginState = "login not known"
	NeedsNoKey LoginState = "needs no login"
)

// maxSign bounds what is read of a file that may show a login.
const maxSign = 4 << 20

// LoginOf returns what is known of the login of a provider that needs no configuration, and the name of the variable or
// the path that shows it. It reads the environment and files, never starts a program, and returns no secret.
func LoginOf(name string, environ []string) (state LoginState, sign string) {
	if name == ShellName || name == loop.Ollama {
		return NeedsNoKey, ""
	}
	if key := loopKey(name); key != "" {
		if set(environ, key) {
			return LoggedIn, key
		}
		return NoLogin, ""
	}
	d, known := BuiltIn(name)
	if !known {
		return NotKnown, ""
	}
	return d.login(environ)
}

func (d Definition) login(environ []string) (LoginState, string) {
	variables := slices.Clone(d.Signs.Variables)
	for _, l := range d.Login {
		variables = append(variables, l.When)
	}
	for _, name := range variables {
		if set(environ, name) {
			return LoggedIn, name
		}
	}
	for _, f := range d.Signs.Files {
		if path := f.Path.pathIn(environ); path != "" && f.showsLogin(path) {
			return LoggedIn, path
		}
	}
	// A login may be where only the CLI finds it, so no sign does not mean no login.
	if d.Signs.Hidden {
		return NotKnown, ""
	}
	return NoLogin, ""
}

// showsLogin reports whether the file at a path shows a login. One that cannot be read, or is an empty object, does not.
func (f SignFile) showsLogin(path string) bool {
	// The file can be a pipe, or of any size.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxSign {
		return false
	}
	text, err := os.ReadFile(path)
	text = bytes.TrimSpace(text)
	// An empty object holds no login.
	return err == nil && len(text) > 0 && string(text) != "{}" && bytes.Contains(text, []byte(f.Holds))
}

// loopKey is the variable that usually holds the key of a model that chant asks itself, "" for all other providers.
func loopKey(api string) string {
	return map[string]string{loop.OpenAI: "OPENAI_API_KEY", loop.Anthropic: "ANTHROPIC_API_KEY"}[api]
}

// InstalledIn reports whether the program of a provider is on the PATH of an environment, or below dir. Providers that
// are part of chant have none, and are always there.
func InstalledIn(name, dir string, environ []string) bool {
	d, ok := BuiltIn(name)
	if !ok {
		return slices.Contains(Names(), name)
	}
	_, err := providers.Find(d.Command, dir, environ)
	return err == nil
}
