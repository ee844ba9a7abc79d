package io.github.lockboot.benchmarks.startup;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A class path.
 *
 * @param entries jars and folders in order
 */
public record ClassPath(List<Path> entries) {

	/**
	 * Read a class path.
	 * @param text entries as on a command line
	 */
	public static ClassPath of(String text) {
		return new ClassPath(Arrays.stream(text.trim().split(File.pathSeparator)).map(Path::of).toList());
	}

	/**
	 * Return the class path of this JVM.
	 * @return everything that the benchmarks need
	 */
	public static ClassPath own() {
		return of(System.getProperty("java.class.path"));
	}

	/**
	 * Return the entry from which a class is loaded.
	 * @return a jar or a folder
	 */
	public static Path of(Class<?> type) {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
	}

	/**
	 * Add entries.
	 * @param added jars or folders
	 */
	public ClassPath and(List<Path> added) {
		return new ClassPath(Stream.concat(this.entries.stream(), added.stream()).toList());
	}

	/**
	 * Return the jar of a class. A folder is copied into a jar, because a class cache
	 * knows no folders.
	 */
	public static Path jarOf(Class<?> type) {
		Path entry = of(type);
		return Files.isDirectory(entry) ? jar(entry) : entry;
	}

	private static Path jar(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			Path jar = Files.createTempFile("classes", ".jar");
			jar.toFile().deleteOnExit();
			try (JarOutputStream output = new JarOutputStream(Files.newOutputStream(jar))) {
				for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
					output.putNextEntry(new JarEntry(folder.relativize(file).toString()));
					Files.copy(file, output);
				}
			}
			return jar;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Return the entries that another class path does not have. */
	public ClassPath beside(ClassPath other) {
		return new ClassPath(this.entries.stream().filter((entry) -> !other.entries.contains(entry)).toList());
	}

	/**
	 * Return the size of all entries.
	 * @return bytes; for a folder the sum of its files
	 */
	public long bytes() {
		return this.entries.stream().mapToLong(ClassPath::bytes).sum();
	}

	/** Return the class path as on a command line. */
	public String text() {
		return this.entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
	}

	private static long bytes(Path entry) {
		try (Stream<Path> files = Files.walk(entry)) {
			return files.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
