// Package secret hides apparent secrets in what is shown or stored: the value of anything called password or token, a token
// of a known form, a long random word. It guesses: a secret with neither such a name nor such a form is shown, and
// occasionally something harmless is hidden.
//
// Secrets are replaced by Hidden. The package is pure.
package secret

import (
	"regexp"
	"strings"
	"sync"
)

// Hidden replaces what is not shown.
const Hidden = "…"

// pattern compiles a pattern with its first use: all of them take 1 ms, which no worker is to wait for when it starts.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var (
	// userInfo is the password in a URL.
	userInfo = pattern(`([A-Za-z][\w+.-]*://[^\s/?#:@]*):[^\s/?#@]+@`)
	// known matches tokens with a known prefix, and private keys.
	known = pattern(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|\z)` +
		`|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*` + // JSON Web Token
		`|\b(AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}` +
		`|\b(gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|[sr]k[-_](live_|test_|proj-)?|hf_|npm_|dop_v1_)[\w-]{16,}`)
	// scheme matches the beginning of an authorization header.
	scheme = pattern(`(?i)\b(bearer|basic|digest)\s+[\w.~+/=-]{6,}`)
	// assigned matches NAME=VALUE, as in options, environments and queries; the value may be quoted.
	assigned = pattern(`([A-Za-z][\w.-]*)=("[^"]*"|'[^']*'|[^\s&;,"']+)`)
	// given is --name VALUE, within a line for a shell.
	given = pattern(`(^|\s)(--?[A-Za-z][\w.-]*)(\s+)("[^"]*"|'[^']*'|[^\s"'-]\S*)`)
	// header is NAME: VALUE as a whole word.
	header = pattern(`^([A-Za-z][\w-]*):\s*\S`)
	// flag is a flag as a whole word, without a value.
	flag = pattern(`^--?([A-Za-z][\w.-]*)$`)
	// long matches words that may be random.
	long = pattern(`[\w+-]{20,}={0,2}`)
)

// Text hides apparent secrets in a text of any kind.
func Text(text string) string {
	text = known().ReplaceAllString(text, Hidden)
	text = userInfo().ReplaceAllString(text, "$1:"+Hidden+"@")
	text = scheme().ReplaceAllString(text, "$1 "+Hidden)
	text = replace(assigned(), text, func(part []string) string {
		if !Named(part[1]) {
			return part[0]
		}
		return part[1] + "=" + Hidden
	})
	return replace(given(), text, func(part []string) string {
		if !Named(part[2]) {
			return part[0]
		}
		return part[1] + part[2] + part[3] + Hidden
	})
}

// Path hides apparent secrets in the path of a URL, where a token is often a segment without a name.
func Path(path string) string {
	return replace(long(), Text(path), func(part []string) string {
		if !random(part[0]) {
			return part[0]
		}
		return Hidden
	})
}

// Words hides apparent secrets in the words of a command.
func Words(words []string) []string {
	shown := make([]string, len(words))
	for i, word := range words {
		name, isHeader := first(header(), word), header().MatchString(word)
		switch {
		case i > 0 && takesSecret(words[i-1]) && !strings.HasPrefix(word, "-"):
			shown[i] = Hidden
		case isHeader && Named(name):
			shown[i] = name + ": " + Hidden
		default:
			shown[i] = option(word)
		}
	}
	return shown
}

// option hides the part of a word after its "=", including blanks and quotes.
func option(word string) string {
	name, _, ok := strings.Cut(word, "=")
	if ok && Named(name) && !strings.ContainsAny(name, " \t\n/?&;") {
		return name + "=" + Hidden
	}
	return Path(word)
}

// takesSecret reports whether a word is a flag whose value, the next word, is a secret.
func takesSecret(word string) bool { return flag().MatchString(word) && Named(word) }

func first(pattern *regexp.Regexp, text string) string {
	if part := pattern.FindStringSubmatch(text); part != nil {
		return part[1]
	}
	return ""
}

func replace(pattern *regexp.Regexp, text string, by func(part []string) string) string {
	return pattern.ReplaceAllStringFunc(text, func(found string) string { return by(pattern.FindStringSubmatch(found)) })
}
