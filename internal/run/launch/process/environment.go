package process

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// usual are the variables that every worker gets: where programs and files are, how texts are written, which authorities
// are trusted, and what tunes a runtime. A worker runs code of other projects, which has no use for the rest: the user's
// tokens and passwords, for example.
var usual = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GOTRACEBACK", "GORACE", "GOCOVERDIR",
	"JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS",
}

// usualOnWindows are those without which programs do not start there.
var usualOnWindows = []string{
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA", "PROGRAMFILES", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
}

// usualPrefixes begin the names of further ones: of locales, and rpcbench's own.
var usualPrefixes = []string{"LC_", "RPCBENCH_"}

// environment is what the worker gets of this process's: the usual variables, and those that are named.
func (p Program) environment() []string {
	variables := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return !isUsual(name) && !slices.Contains(p.Environment, name)
	})
	variables = append(variables, p.Variables...)
	if p.Temporary != "" {
		for _, name := range temporary {
			variables = append(variables, name+"="+p.Temporary)
		}
	}
	return variables
}

// temporary are the variables that say where temporary files go: on Unix the first, on Windows the others.
var temporary = []string{"TMPDIR", "TMP", "TEMP"}

func isUsual(name string) bool {
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name) // where names have no case
		if slices.Contains(usualOnWindows, name) {
			return true
		}
	}
	return slices.Contains(usual, name) ||
		slices.ContainsFunc(usualPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
