package io.github.lockboot.benchmarks.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Resolves class paths without other peers, with the Maven that runs the benchmarks.
 */
public final class Maven {

	/** System property with the folder of Maven. */
	private static final String HOME = "maven.home";

	private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

	private Maven() {
	}

	/**
	 * Resolve the class path of an application with Spring Data Redis.
	 * @param profiles the profiles whose libraries are added
	 * @return jars of the local repository
	 * @throws IllegalStateException if Maven fails; the message contains its output
	 */
	public static ClassPath resolve(String... profiles) {
		try {
			Path pom = ClassPath.of(Maven.class).resolve("startup/pom.xml");
			Path result = Files.createTempFile("classpath", ".txt");
			Process process = new ProcessBuilder(command(pom, result, profiles)).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes());
			if (process.waitFor() != 0) {
				throw new IllegalStateException("Maven can't resolve " + List.of(profiles) + ":\n" + output);
			}
			return ClassPath.of(Files.readString(result));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static List<String> command(Path pom, Path result, String... profiles) {
		String program = Path.of(System.getProperty(HOME), "bin", "mvn").toString();
		Stream<String> general = Stream.of(program, "-q", "-B", "-ntp", "-f", pom.toString(),
				PLUGIN + ":build-classpath", "-Dmdep.includeScope=runtime", "-Dmdep.outputFile=" + result);
		return Stream.concat(general, Stream.of(profiles).map("-P"::concat)).toList();
	}

}
