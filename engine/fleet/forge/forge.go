// Package forge asks the program of a forge about pull requests, and has it open them: gh for GitHub, glab for GitLab.
//
// # Rules
//
//   - Only the programs know how to log in; this package never sees a token, and removes what looks like one from their
//     output.
//   - A program gets the repository by its address, so that its answer does not depend on the folder it is started in.
//   - A pull request from another repository is not one of the project, even if its branch has the same name.
//
// # Decisions
//
// 2026-11-26: the programs of the forges instead of their HTTP interfaces, because people are logged in to them already
// and they know about proxies, single sign-on and hosts of one's own. Rejected: a token in the settings or in the
// environment, which would be one more secret to keep from agents.
//
// 2026-11-26: a host with "github" or "gitlab" in its name is what it says; any other host belongs to the program that is
// logged in to it. Rejected: a setting for the kind of forge, which each login already answers.
package forge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"chant/engine/spec/next"
	"chant/providers"
	"chant/providers/secret"
	"chant/text"
)

// State is how far a pull request is.
type State string

// The states of a pull request.
const (
	Open   State = "open"
	Closed State = "closed" // without a merge
	Merged State = "merged"
)

// Pull is a pull request.
type Pull struct {
	URL    string
	Branch string // that it wants to merge
	State  State
}

// Draft is a pull request that is to be opened.
type Draft struct {
	Branch, Target string
	Title, Body    string // the body is Markdown
}

// Caller is where programs are started.
type Caller struct {
	Dir     string
	Environ []string
	Secrets *secret.Redactor // are removed from what programs print
}

// Forge is a repository on a forge, and the program that can be asked about it.
type Forge struct {
	Place   Place
	Program string // gh or glab

	caller Caller
	path   string // of the program
	words  dialect
}

// Error reports a forge that cannot be asked, or that has not done what it was asked to.
type Error struct {
	Message string
	Next    next.Step // what can be done about it
}

// Error says what is wrong.
func (e *Error) Error() string { return e.Message }

// Find returns the forge that has the repository at an address. Error: *Error.
func Find(ctx context.Context, c Caller, address string) (*Forge, error) {
	place, err := ParseAddress(address)
	if err != nil {
		return nil, err
	}
	for _, d := range dialects() {
		if strings.Contains(place.Host, d.host) {
			path, err := providers.Find(d.program, c.Dir, c.Environ)
			if err != nil {
				step := fmt.Sprintf("install %s on the machine that leads, and log in with %q", d.program, d.program+" auth login")
				return nil, &Error{err.Error(), next.ByHand(step)}
			}
			return &Forge{Place: place, Program: d.program, caller: c, path: path, words: d}, nil
		}
	}
	// The name of the host says nothing, so the program that is logged in to it decides.
	for _, d := range dialects() {
		path, err := providers.Find(d.program, c.Dir, c.Environ)
		if err != nil {
			continue
		}
		f := &Forge{Place: place, Program: d.program, caller: c, path: path, words: d}
		_, err = f.run(ctx, "auth", "status", "--hostname", place.Host)
		if err == nil || ctx.Err() != nil {
			return f, ctx.Err()
		}
	}
	return nil, &Error{
		fmt.Sprintf("neither gh nor glab is logged in to %q", place.Host),
		next.Shell("gh auth login --hostname %s, or glab auth login --hostname %s", place.Host, place.Host),
	}
}

// Pulls lists the pull requests for a target: the open ones, or all of one branch. The list of open ones may be
// incomplete where there are many. Error: *Error.
func (f *Forge) Pulls(ctx context.Context, target, branch string) ([]Pull, error) {
	args := f.words.list(f.Place, target, branch)
	out, err := f.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	pulls, err := f.words.parse([]byte(out))
	if err != nil {
		return nil, f.failure(args, err.Error())
	}
	var own []Pull
	for _, p := range pulls {
		// The programs also list branches whose names only contain this one.
		if branch == "" || p.Branch == branch {
			own = append(own, p)
		}
	}
	return own, nil
}

// Create opens a pull request and returns its address. Error: *Error.
func (f *Forge) Create(ctx context.Context, d Draft) (string, error) {
	args := f.words.create(f.Place, d)
	out, err := f.run(ctx, args...)
	if err != nil {
		return "", err
	}
	words := strings.Fields(out)
	// Warnings and hints come before the address.
	for i := len(words) - 1; i >= 0; i-- {
		if isURL(words[i]) {
			return words[i], nil
		}
	}
	return "", f.failure(args, "it has not printed the address of a pull request")
}

// The limits of a program.
const (
	maxTime   = 2 * time.Minute
	maxOutput = 4 << 20 // bytes
)

// run starts the program, which has no terminal and asks nothing, and returns what it prints.
func (f *Forge) run(ctx context.Context, args ...string) (string, error) {
	// A program that asks would wait for ever without a terminal.
	env := append(f.caller.Environ[:len(f.caller.Environ):len(f.caller.Environ)],
		"GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "NO_PROMPT=1", "NO_COLOR=1", "GLAB_CHECK_UPDATE=false")
	// The arguments come from specs, so they are passed beside the shell line and never in it.
	c := providers.Command{Line: `exec "$0" "$@"`, Dir: f.caller.Dir, Env: env, Timeout: maxTime, Secrets: f.caller.Secrets}
	r, err := providers.RunApart(ctx, c, maxOutput, f.path, args...)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", errors.Join(f.failure(args, ""), err)
	case r.TimedOut:
		return "", f.failure(args, fmt.Sprintf("it has not ended within %s", maxTime))
	case r.ExitCode != 0:
		return "", f.failure(args, lastLine(cmp.Or(strings.TrimSpace(r.Stderr), strings.TrimSpace(r.Stdout))))
	}
	return r.Stdout, nil
}

// failure reports a command of the program that has failed, or has printed something unexpected. said is its last line.
func (f *Forge) failure(args []string, said string) error {
	command := strings.Join(args[:min(2, len(args))], " ")
	return &Error{fmt.Sprintf("%s %s: %s", f.Program, command, cmp.Or(said, "it has failed and printed nothing")), next.Shell("%s auth status", f.Program)}
}

// lastLine returns the last line of a text, at most 300 bytes of it.
func lastLine(s string) string {
	return text.Ends(text.Printable(s[strings.LastIndexByte(s, '\n')+1:]), 300)
}

// Place is a repository on a forge.
type Place struct {
	Host string // with a port if the address is one of HTTP and has one
	Path string // such as team/app, without slashes at its ends
}

// ParseAddress reads the address of a remote, in any form that git takes for another host. Error: *Error.
func ParseAddress(address string) (Place, error) {
	refused := &Error{
		fmt.Sprintf("%q is not the address of a repository on a forge", withoutLogin(address)),
		next.ByHand(`set the remote to its address on GitHub or GitLab, or "fleet.land" to merge`),
	}
	host, path, ok := splitAddress(address)
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	parts := strings.Split(path, "/")
	if !ok || host == "" || len(parts) < 2 {
		return Place{}, refused
	}
	for _, part := range append(parts, host) {
		if part == "" || part == "." || part == ".." || strings.HasPrefix(part, "-") || strings.ContainsFunc(part, isForeignRune) {
			return Place{}, refused
		}
	}
	return Place{Host: strings.ToLower(host), Path: path}, nil
}

// splitAddress returns the host and the path of an address; false for a path of this machine.
func splitAddress(address string) (host, path string, ok bool) {
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil || u.RawQuery != "" || u.Fragment != "" {
			return "", "", false
		}
		switch u.Scheme {
		case "https", "http":
			return u.Host, u.Path, true
		case "ssh", "git", "git+ssh", "ssh+git":
			// The port of ssh is not that of the forge.
			return u.Hostname(), u.Path, true
		}
		return "", "", false
	}
	// This is the form of ssh.
	host, path, ok = strings.Cut(address, ":")
	if _, after, login := strings.Cut(host, "@"); login {
		host = after
	}
	// One letter is a drive of Windows.
	return host, path, ok && len(host) > 1 && !strings.ContainsAny(host, `/\`)
}

// isForeignRune reports whether a character is in no name of a host, group or repository.
func isForeignRune(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	return !letter && !strings.ContainsRune("-._~+:", r)
}

// withoutLogin returns an address without user and password.
func withoutLogin(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		return address
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}
