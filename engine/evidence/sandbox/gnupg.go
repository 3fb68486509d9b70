package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chant/gitops/rootdir"
)

// gnupgFiles are the files of a folder of GnuPG that a signature needs: settings, certificates and how far they are trusted.
// None of them is secret.
var gnupgFiles = []string{"gpg.conf", "gpgsm.conf", "common.conf", "pubring.kbx", "pubring.gpg", "trustdb.gpg", "trustlist.txt", "policies.txt", "qualified.txt"}

// gnupg is a folder of GnuPG for what runs in a tree. GnuPG refuses to sign with a folder in which it cannot make locks, and
// in the person's an agent could name a program. Private keys stay there: the person's gpg-agent signs, and asks the person.
type gnupg struct {
	folder, from, socket string
}

// gnupgFor returns the folder for a tree with these temporary files, nil if git signs nothing with GnuPG.
func (s *Sandbox) gnupgFor(temp string) (*gnupg, error) {
	// The gpg-agent may ask for a passphrase, or hang.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	// Asking GnuPG costs more than reading git's settings.
	if signs, err := s.Repo.SignsByGnuPG(ctx); err != nil || !signs {
		return nil, err
	}
	ask := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "gpgconf", args...)
		cmd.Env = s.Environ
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	from, err := ask("--list-dirs", "homedir")
	if err != nil {
		// There is no GnuPG, or none that can be asked: git says why it cannot sign.
		return nil, nil //nolint:nilerr
	}
	socket, err := ask("--list-dirs", "agent-socket")
	if err == nil {
		// One that is started in the sandbox would have no keys.
		_, err = ask("--launch", "gpg-agent")
	}
	if err != nil {
		// Likewise.
		return nil, nil //nolint:nilerr
	}
	return &gnupg{filepath.Join(temp, "gnupg"), unescape(from), unescape(socket)}, nil
}

// unescape replaces what gpgconf writes instead of ":" and "%" in a path.
func unescape(path string) string {
	return strings.NewReplacer("%3a", ":", "%3A", ":", "%25", "%").Replace(path)
}

// env are the variables that name the folder.
func (g *gnupg) env() []string {
	if g == nil {
		return nil
	}
	return []string{"GNUPGHOME=" + g.folder}
}

// make creates the folder. The file in place of the socket leads GnuPG to that of the person's gpg-agent.
func (g *gnupg) make() error {
	if g == nil {
		return nil
	}
	return rootdir.In(filepath.Dir(g.folder), func(root *os.Root) error {
		name := filepath.Base(g.folder)
		// It exists if the bounds are prepared again.
		if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		for _, file := range gnupgFiles {
			text, err := os.ReadFile(filepath.Join(g.from, file))
			// Copies, since a link would let GnuPG write to the person's folder.
			if err == nil {
				err = rootdir.Write(root, name+"/"+file, text, 0o600)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return rootdir.Write(root, name+"/S.gpg-agent", []byte("%Assuan%\nsocket="+g.socket+"\n"), 0o600)
	})
}
