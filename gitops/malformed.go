package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"chant/gitops/gitexec"
)

// Malformed says what is wrong with the first commit or tree that a commit has, and another one has not, which git would
// not have written so itself: a folder with a file of the name ".git", names out of order, a date that is none. Git reads
// most of these, and servers that check what they receive (receive.fsckObjects) refuse them. It returns "" if all are
// well-formed. It writes to a folder of its own for temporary files.
func (r *Repo) Malformed(ctx context.Context, since, tip string) (said string, err error) {
	// Blobs can hold anything, so only commits and trees are checked.
	pack, err := r.git.Run(ctx, gitexec.Call{
		Dir: r.site.Home, Limit: gitexec.LongLimit, Stdin: fmt.Appendf(nil, "%s\n^%s\n", tip, since),
		Args: []string{"pack-objects", "--quiet", "--revs", "--stdout", "--filter=blob:none", "--window=0"},
	})
	if err != nil {
		return blamedObject(err)
	}
	// The pack and its index lie outside of the repository, which gets no objects by this.
	dir, err := os.MkdirTemp("", "chant-objects-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "new.pack")
	if err := os.WriteFile(file, pack, 0o600); err != nil {
		return "", err
	}
	_, err = r.git.Run(ctx, gitexec.Call{
		Dir: r.site.Home, Limit: gitexec.LongLimit, Args: []string{"index-pack", "--fsck-objects", "-o", filepath.Join(dir, "new.idx"), file},
	})
	return blamedObject(err)
}

// blamedObject takes what git says of objects that it does not accept from an error of a command that reads them. Any other
// failure, such as a full disk or a missing object, is not their fault.
func blamedObject(err error) (string, error) {
	failed, ok := errors.AsType[*gitexec.Error](err)
	// A failure of the machine, such as a full disk, must not count against the commits.
	if !ok || failed.Damaged() || !blames().MatchString(failed.Stderr) {
		return "", err
	}
	return strings.TrimPrefix(failed.Error(), "git "+failed.Args[0]+": "), nil
}

var blames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`fsck error|(?m)^(error|fatal): (object [0-9a-f]{40,64}: \w+|(too-short|malformed|empty) .*(tree|commit|object)|bogus commit|invalid object)`)
})
