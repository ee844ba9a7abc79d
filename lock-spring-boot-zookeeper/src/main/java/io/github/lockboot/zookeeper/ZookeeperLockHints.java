package io.github.lockboot.zookeeper;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Adds to a native image what is loaded by name: the connection classes of ZooKeeper's
 * client, and the class by which the auto-configuration finds Curator.
 */
final class ZookeeperLockHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection()
			.registerType(TypeReference.of("io.github.lockboot.autoconfigure.zookeeper.ZookeeperLockProperties"),
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.reflection().registerTypeIfPresent(classLoader, "org.apache.curator.framework.CuratorFramework");
		for (String name : new String[] { "ClientCnxnSocketNIO", "ClientCnxnSocketNetty" }) {
			hints.reflection()
				.registerTypeIfPresent(classLoader, "org.apache.zookeeper." + name,
						MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		}
	}

}
