package trust

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyOptionsThatTuneAreTakenUnasked(t *testing.T) {
	t.Parallel()
	for _, word := range []string{
		"-Xmx2g", "-Xms512m", "-Xmn100M", "-Xss1024k", "-Xmx1000000", "-Xint", "-server", "-verbose:gc", "-XX:+UseZGC",
		"-XX:-UseCompressedOops", "-XX:MaxGCPauseMillis=20", "-XX:MaxRAMPercentage=75.0", "-XX:ParallelGCThreads=2",
		"-XX:ReservedCodeCacheSize=64m", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true",
		"-Dio.netty.allocator.type=pooled",
	} {
		if !tunes(word) {
			t.Errorf("%s is asked for", word)
		}
	}
	for _, word := range []string{
		"", "-", "--", "-X", "-XX:", "Evil.java", "@file", "-jar", "-cp", "--class-path=evil", "-cp=evil", "--module=evil/Main",
		"--module-path=evil", "-m", "--source=17", "--patch-module=java.base=evil", "--add-modules=evil",
		"-XX:OnOutOfMemoryError=touch canary", "-XX:OnError=touch canary", "-XX:+HeapDumpOnOutOfMemoryError",
		"-XX:HeapDumpPath=/etc/x", "-XX:ErrorFile=x", "-XX:LogFile=x", "-XX:+LogVMOutput", "-XX:+LogCompilation",
		"-XX:Flags=evil", "-XX:VMOptionsFile=evil", "-XX:+ReadVMOptionsFile", "-XX:CompileCommandFile=evil",
		"-XX:CompileCommand=print,x", "-XX:CompilerDirectivesFile=evil", "-XX:SharedArchiveFile=evil",
		"-XX:ArchiveClassesAtExit=evil", "-XX:+AutoCreateSharedArchive", "-XX:AOTCache=evil", "-XX:AOTLibrary=evil",
		"-XX:StartFlightRecording=filename=x", "-XX:FlightRecorderOptions=repository=x", "-XX:+EnableJVMCI",
		"-XX:+StartAttachListener", "-XX:DumpLoadedClassList=x", "-XX:ReplayDataFile=x", "-XX:AllocateHeapAt=/x",
		"-XX:NativeMemoryTracking=detail", "-XX:+CrashOnOutOfMemoryError", "-XX:TraceJVMTI=x",
		"-Xlog:gc:file=canary", "-Xlog:gc", "-Xloggc:canary", "-Xbootclasspath/a:evil", "-Xrunevil", "-Xdebug",
		"-Xrunjdwp:transport=dt_socket,server=y", "-javaagent:evil.jar", "-agentlib:jdwp=x", "-agentpath:/evil.so",
		"-splash:x", "-Dx=y", "-Drpcbench.events=/etc/x", "-Djava.system.class.loader=Evil",
		"-Djava.security.manager=Evil", "-Djava.library.path=evil", "-Dcom.sun.management.jmxremote.port=1",
		"-Dio.netty.native.workdir=/x", "-Djavax.net.ssl.trustStore=x", "-Dhttp.proxyHost=evil",
		"-Xmx2g -jar", "-Xmx2g\n-jar", "-Xmx2g\n", "\n-Xmx2g", " -Xmx2g", "-Xmx2g:file=x", "-XX:+UseZGC,evil",
		"-XX:MaxGCPauseMillis=20:x", "-XX:MaxGCPauseMillis=", "-XX:+UseZGCx", "-XX:xUseZGC", "-xx:+UseZGC",
		"-XX:UseZGC=evil", "-Dio.netty.allocator.type=a/b", "-DioXnetty.allocator.type=pooled", "-Xmx２g",
	} {
		if tunes(word) {
			t.Errorf("%q is not asked for", word)
		}
	}
}

// A flag of the JVM that is a text can name a file or a command, so that the names here must be of switches and numbers.
func TestNamesAreFlagsOfTheJVMThatTakeNoText(t *testing.T) {
	t.Parallel()
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("there is no java to ask")
	}
	flags, err := exec.CommandContext(t.Context(), java, "-XX:+UnlockExperimentalVMOptions", "-XX:+UnlockDiagnosticVMOptions",
		"-XX:+PrintFlagsFinal", "-version").Output()
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\s*(\S+)\s+(\S+)\s+:?=`).FindAllStringSubmatch(string(flags), -1) {
		types[m[2]] = m[1]
	}
	known := 0
	for _, name := range slices.Concat(jvmSwitches, jvmNumbers) {
		kind, ok := types[name]
		if !ok {
			continue // of another version, or no flag of the table's
		}
		known++
		if isSwitch := slices.Contains(jvmSwitches, name); isSwitch != (kind == "bool") || strings.HasPrefix(kind, "ccstr") {
			t.Errorf("%s is a %s", name, kind)
		}
	}
	if known < 60 {
		t.Errorf("the JVM knows %d of the names only", known)
	}
	if types["HeapDumpPath"] != "ccstr" {
		t.Errorf("HeapDumpPath is %q: are the types read as they are printed?", types["HeapDumpPath"])
	}
}

func TestTheManualListsWhatIsTakenUnasked(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../../docs/evidence.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(manual), "JVM options that a file may have without being asked about:")
	table, _, _ = strings.Cut(table, "\n#")
	var listed []string
	for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(table, -1) {
		if !strings.HasPrefix(m[1], "-") { // what has no list of names
			listed = append(listed, m[1])
		}
	}
	taken := slices.Concat(jvmSwitches, jvmNumbers)
	for _, property := range jvmProperties {
		taken = append(taken, strings.ReplaceAll(property, `\`, ""))
	}
	slices.Sort(listed)
	slices.Sort(taken)
	if diff := cmp.Diff(taken, listed); diff != "" {
		t.Error(diff)
	}
}

// FuzzTunes: whatever a word is, one that is taken unasked has nothing in it that a path, a command or a list needs.
func FuzzTunes(f *testing.F) {
	for _, seed := range []string{"-Xmx2g", "-XX:+UseZGC", "-XX:MaxGCPauseMillis=2", "-Dio.netty.allocator.type=a", "@x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if tunes(word) && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+:=.") != "" {
			t.Errorf("%q is taken unasked", word)
		}
	})
}
