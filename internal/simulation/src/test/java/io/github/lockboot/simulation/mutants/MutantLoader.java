package io.github.lockboot.simulation.mutants;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads all classes of this project once more, one of them changed.
 */
final class MutantLoader extends URLClassLoader {

	private final EngineMutant mutant;

	MutantLoader(EngineMutant mutant) throws MalformedURLException {
		super(classPath(), MutantLoader.class.getClassLoader());
		this.mutant = mutant;
	}

	private static URL[] classPath() throws MalformedURLException {
		List<URL> urls = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			urls.add(Path.of(entry).toUri().toURL());
		}
		return urls.toArray(URL[]::new);
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith("io.github.lockboot.")) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : findClass(name);
		}
	}

	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		if (name.equals(this.mutant.type())) {
			return defineClass(name, this.mutant.bytes(), 0, this.mutant.bytes().length);
		}
		return super.findClass(name);
	}

}
