package io.github.lockboot.zookeeper;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Adds the connection classes of ZooKeeper's client, which the client loads by name, to a
 * native image.
 */
final class ZookeeperLockHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection()
			.registerType(TypeReference.of("io.github.lockboot.autoconfigure.zookeeper.ZookeeperLockProperties"),
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_PUBLIC_METHODS);
		for (String name : new String[] { "ClientCnxnSocketNIO", "ClientCnxnSocketNetty" }) {
			hints.reflection()
				.registerTypeIfPresent(classLoader, "org.apache.zookeeper." + name,
						MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		}
	}

}
