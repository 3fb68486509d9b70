package fleet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// containerUser is the user in a container if none is named.
const containerUser = "chant"

// containerfile returns a file from which podman or docker builds an image with git and chant. The clone is in a volume.
// Error: a value that the file cannot contain.
func containerfile(o unitOptions) (string, error) {
	if err := o.check(); err != nil {
		return "", err
	}
	if o.User == "" {
		o.User = containerUser
	}
	// Variables are replaced and words are split in these, so that quotes would not be enough.
	for _, name := range []string{o.Executable, o.Folder} {
		if strings.Trim(name, lowerLetters+strings.ToUpper(lowerLetters)+"0123456789_-./") != "" || strings.HasPrefix(name, "-") {
			return "", fmt.Errorf("invalid path %q (use letters, digits and - _ . /)", name)
		}
	}
	if path.IsAbs(o.Executable) || !path.IsAbs(o.Folder) || path.Clean(o.Folder) == "/" {
		return "", fmt.Errorf("%q has to be a program in the folder from which the image is built, and %q an absolute path", o.Executable, o.Folder)
	}
	command, err := jsonWords(o.Args)
	if err != nil {
		return "", err
	}
	environment := ""
	if o.Path != "" {
		value, err := jsonWords([]string{o.Path})
		if err != nil {
			return "", err
		}
		environment = "ENV PATH=" + strings.ReplaceAll(strings.Trim(value, "[]"), "$", `\$`) + "\n"
	}
	return fmt.Sprintf(containerFile, o.User, o.Executable, o.Folder, command, environment), nil
}

// containerFile has the user, the program, the folder, the arguments and the environment.
const containerFile = `# Build and run:
#   podman build --tag chant-worker --file Containerfile .
#   podman run --init --restart on-failure --stop-timeout 120 --volume chant-clone:%[3]s chant-worker
# Mount the invitation and credentials as files when it runs; never copy them into the image:
#   --volume "$PWD/buildbox.fleet:/run/secrets/buildbox.fleet:ro" for "join /run/secrets/buildbox.fleet"
FROM docker.io/library/debian:stable-slim

RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git openssh-client \
 && rm -rf /var/lib/apt/lists/*

# Install here the agents that this worker starts, and what criteria need.

ARG UID=1000
RUN useradd --uid "$UID" --create-home --shell /bin/sh %[1]s \
 && install --directory --owner %[1]s --group %[1]s %[3]s

COPY --chmod=0755 %[2]s /usr/local/bin/chant

%[5]sUSER %[1]s
WORKDIR %[3]s
VOLUME %[3]s
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/chant"]
CMD %[4]s
`

// jsonWords returns a list of words in JSON, in which container files have commands.
func jsonWords(list []string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(append([]string{}, list...))
	return strings.TrimSpace(b.String()), err
}
